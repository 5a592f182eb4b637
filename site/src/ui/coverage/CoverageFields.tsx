import { type CSSProperties, useEffect, useId, useState } from 'react';
import type { Region } from '#core/values/region.ts';
import { maxCoverageRadius } from '#core/values/registration-steps.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { createPause } from '#site/lib/pause.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import type { Coverage } from './coverage.ts';
import { fetchPostcode } from './fetch-postcode.ts';
import { type LoadedMap, loadCoverageMap } from './load-coverage-map.ts';

const most = maxCoverageRadius / 1_000;
const ticks = [0, 25, 50, 75];

/** How far the tradie drives: `radius` in metres, on a slider of 0 to 100 km. */
export function RadiusField({
  radius,
  onChange,
}: Readonly<{ radius: number; onChange(radius: number): void }>) {
  const id = useId();
  const kilometres = Math.round(radius / 1_000);
  return (
    <>
      <div className="cover__row">
        <label className="field__label" htmlFor={id}>
          Radius
        </label>
        <output className="cover__out" htmlFor={id}>
          {`${kilometres} km`}
        </output>
      </div>
      <input
        className="range"
        id={id}
        type="range"
        min={0}
        max={most}
        value={kilometres}
        aria-valuetext={`${kilometres} km`}
        style={{ '--_p': `${(kilometres / most) * 100}%` } as CSSProperties}
        onChange={(event) => onChange(Number(event.target.value) * 1_000)}
      />
      <div className="range-ticks" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
        <span>{`${most} km`}</span>
      </div>
    </>
  );
}

type Props = Readonly<{ region: Region; location: Coverage; onChange(part: Partial<Coverage>): void }>;

/** The map's place on the page: the map comes when its code has, and nothing beside it waits for that. */
export function CoverageMapFrame(props: Props) {
  const { region } = props;
  const [map, setMap] = useState<LoadedMap | null>(null);
  const [tries, setTries] = useState(0);
  const [hasFailed, setFailed] = useState(false);

  // An effect, because the map's code lives in the browser alone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another load
  useEffect(() => {
    let isGone = false;
    setFailed(false);
    loadCoverageMap(region).then(
      (loaded) => !isGone && setMap(loaded),
      () => !isGone && setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, [region, tries]);

  if (map) return <map.CoverageMap {...props} source={map.source} />;
  return (
    <div className="map cover__map cover__map--waiting">
      {hasFailed ? (
        <div role="alert">
          <p>The map did not load. You can go on with a postcode and the radius.</p>
          <button className="btn btn--secondary" type="button" onClick={() => setTries(tries + 1)}>
            <Icon name="refresh-cw" />
            <span>Try again</span>
          </button>
        </div>
      ) : (
        <p role="status">Please wait...</p>
      )}
    </div>
  );
}

type PostcodeFieldProps = Readonly<{
  region: Region;
  /** The postcode that the register has of the business; '' for none. */
  known: string;
  onFound(place: Coverage): void;
}>;

/** Where the day starts, without the map: four digits, and 500 ms later the area is there. */
export function PostcodeField({ region, known, onFound }: PostcodeFieldProps) {
  const id = useId();
  const [pause] = useState(createPause);
  const [text, setText] = useState(known);
  const [outcome, setOutcome] = useState<Readonly<{ found: string; problem: string | null }>>(noOutcome);
  useEffect(() => pause.cancel, [pause]);

  function type(typed: string): void {
    const postcode = typed.replace(/\D/g, '').slice(0, 4);
    setText(postcode);
    setOutcome(noOutcome);
    pause.cancel();
    if (postcode.length === 4) pause.after((signal) => find(postcode, signal));
  }

  async function find(postcode: string, signal: AbortSignal): Promise<void> {
    try {
      const place = await fetchPostcode(postcode, region, signal);
      if (signal.aborted) return;
      onFound(place);
      setOutcome({ found: [place.name, place.state].filter(Boolean).join(' '), problem: null });
    } catch (error) {
      if (signal.aborted) return;
      setOutcome({ found: '', problem: problemOf(error, postcode) });
    }
  }

  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        Or start from a postcode
      </label>
      <input
        className="input num"
        id={id}
        name="postcode"
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={8}
        value={text}
        onChange={(event) => type(event.target.value)}
        // Enter looks the postcode up, it does not go on.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        aria-invalid={outcome.problem !== null}
        aria-describedby={outcome.problem === null ? undefined : `${id}-problem`}
      />
      <p className="field__hint" role="status">
        {outcome.found && `The area is around ${outcome.found}`}
      </p>
      <FieldError id={`${id}-problem`} message={outcome.problem} isLate />
    </div>
  );
}

const noOutcome = { found: '', problem: null };

function problemOf(error: unknown, postcode: string): string {
  const failure = error instanceof ApiError ? error : new ApiError(unknownFailure, 0);
  return failure.status === 404 ? `We know no postcode ${postcode}. Tap the map instead` : failure.message;
}
