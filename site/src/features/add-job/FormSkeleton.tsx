const fields = ['name', 'email', 'phone', 'address', 'title', 'schedule'];

/** The shape of the form while it is on its way. */
export function FormSkeleton({ isNarrow = false }: Readonly<{ isNarrow?: boolean }>) {
  return (
    <div className={isNarrow ? 'addjob addjob--narrow' : 'addjob'}>
      <div className="card addjob__main" role="status">
        <span className="sr">Loading...</span>
        {fields.map((field) => (
          <span key={field} className="sk sk--block sk--button" aria-hidden="true" />
        ))}
      </div>
      {!isNarrow && <div className="addjob__when only-md card" />}
    </div>
  );
}
