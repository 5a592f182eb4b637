import { lastStep } from '#core/values/registration-steps.ts';

/** How far the wizard is: step of 6. */
export function WizardProgress({ step }: Readonly<{ step: number }>) {
  const label = `Step ${step} of ${lastStep}`;
  return (
    <div
      className="progress"
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={lastStep}
      aria-valuenow={step}
      aria-label={label}
    >
      <span className="progress__label">{label}</span>
      <span className="progress__bar">
        {Array.from({ length: lastStep }, (_, at) => at + 1).map((part) => (
          <i key={part} className={part < step ? 'is-done' : part === step ? 'is-now' : undefined} />
        ))}
      </span>
    </div>
  );
}
