import { BackLink } from './BackLink.tsx';

/** A job on its way: the boxes it will fill, and the word for screen readers. */
export function JobDetailsSkeleton() {
  return (
    <div className="jd">
      <div className="jd__head">
        <BackLink />
        <span className="sk sk--badge" aria-hidden="true" />
        <h1 className="sr">Loading...</h1>
        <span className="sk sk--title" aria-hidden="true" />
        <span className="sk sk--info-row" aria-hidden="true" />
        <div className="only-xs jd__when" aria-hidden="true">
          <span className="sk sk--block sk--strip" />
        </div>
      </div>
      <div className="jd__cols" aria-hidden="true">
        <div className="jd__main">
          <Box lines={3} />
          <Box lines={4} />
        </div>
        <div className="jd__side">
          <Box lines={3} />
        </div>
      </div>
    </div>
  );
}

function Box({ lines }: { lines: number }) {
  return (
    <div className="card">
      {Array.from({ length: lines }, (_, place) => place).map((place) => (
        <span key={place} className="sk sk--block sk--button" />
      ))}
    </div>
  );
}
