/** A card whose job is on its way: the same boxes, so that nothing moves when it arrives. */
export function JobCardSkeleton() {
  return (
    <div className="card job" aria-hidden="true">
      <div className="job__top">
        <span className="sk sk--badge" />
      </div>
      <span className="sk sk--title" />
      <span className="sk sk--block sk--strip" />
      <div className="info-rows">
        <span className="sk sk--info-row" />
        <span className="sk sk--info-row sk--short" />
      </div>
      <div className="job__actions">
        <span className="sk sk--block sk--button" />
        <span className="sk sk--block sk--button" />
      </div>
    </div>
  );
}
