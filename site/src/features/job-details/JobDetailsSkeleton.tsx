import { BackLink } from './BackLink.tsx';

/** A job on its way: the boxes it will fill, and the word for screen readers. */
export function JobDetailsSkeleton() {
  return (
    <>
      <div className="detail__head">
        <BackLink />
        <h1 className="sr">Loading...</h1>
        <span className="sk sk--title" aria-hidden="true" />
      </div>
      <div className="detail__cols" aria-hidden="true">
        <div className="detail__main">
          <Box className="detail__contact" lines={3} />
          <Box className="detail__job" lines={5} />
        </div>
        <div className="detail__side">
          <Box className="side-panel" lines={4} />
        </div>
      </div>
    </>
  );
}

function Box({ className, lines }: { className: string; lines: number }) {
  return (
    <div className={`card ${className}`}>
      {Array.from({ length: lines }, (_, place) => place).map((place) => (
        <span key={place} className="sk sk--block sk--button" />
      ))}
    </div>
  );
}
