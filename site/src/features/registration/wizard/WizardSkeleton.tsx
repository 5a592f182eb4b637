/** While the bot check runs, or the draft loads. Turnstile, where it is in use, draws itself into the marked element. */
export function WizardSkeleton() {
  return (
    <div className="wizard" aria-busy="true">
      <p className="lede" role="status">
        Please wait...
      </p>
      <span className="sk sk--title" />
      <span className="sk sk--block" />
      <span className="sk sk--block" />
      <div data-bot-check="" />
    </div>
  );
}
