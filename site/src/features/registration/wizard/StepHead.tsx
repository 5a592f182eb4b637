/** The heading of a step, which takes the focus when the step is gone to, and a line below it. */
export function StepHead({ title, children }: Readonly<{ title: string; children?: string }>) {
  return (
    <div className="wizard__head">
      <h1 tabIndex={-1}>{title}</h1>
      {children && <p className="lede">{children}</p>}
    </div>
  );
}
