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
        <span className="sk sk--title" />
        <span className="sk sk--place" />
        <span className="sk sk--what" />
      </div>
      {!isLead && (
        <>
          <span className="sk sk--block sk--strip" />
          <span className="sk sk--place" />
          <span className="sk sk--place sk--short" />
        </>
      )}
      <div className="job__actions">
        <span className="sk sk--block sk--button" />
        <span className="sk sk--block sk--button" />
      </div>
    </div>
  );
}
