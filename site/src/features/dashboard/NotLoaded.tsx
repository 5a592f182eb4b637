type Props = Readonly<{
  /** What is missing, as a sentence begins with it: `These jobs`. */
  what: string;
  onAgain(): unknown;
}>;

/** In place of a part of the dashboard that could not be loaded, until it is: each part says it of itself alone. */
export function NotLoaded({ what, onAgain }: Props) {
  return (
    <div className="card not-loaded" role="alert">
      <p>{what} could not be loaded.</p>
      <button className="btn btn--secondary btn--sm" type="button" onClick={() => void onAgain()}>
        Try again
      </button>
    </div>
  );
}
