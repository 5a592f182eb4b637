import './job-card.css';

type Props = Readonly<{
  /** A card with the two answers, instead of one with a time. */
  isLead?: boolean;
}>;

/** A card whose job is on its way: the same boxes, so that nothing moves when it arrives. */
export function JobCardSkeleton({ isLead = false }: Props) {
  return (
    <div className={isLead ? 'card job lead' : 'card job'} aria-hidden="true">
      <div className="job__top">
        <span className="sk sk--badge" />
      </div>
      <div className="job__head">
        <p className="job__name">
          <span className="sk sk--in-line" />
        </p>
        <p className="job__line">
          <span className="sk sk--in-line sk--short" />
        </p>
        <p className="job__what">
          <span className="sk sk--in-line" />
        </p>
      </div>
      {!isLead && (
        <>
          <span className="sk sk--block sk--strip" />
          <p className="job__line">
            <span className="sk sk--in-line" />
          </p>
          <p className="job__line">
            <span className="sk sk--in-line sk--short" />
          </p>
        </>
      )}
      <div className="job__actions">
        <span className="sk sk--block sk--button" />
        <span className="sk sk--block sk--button" />
      </div>
    </div>
  );
}
