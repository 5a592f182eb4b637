import { useEffect, useId, useState } from 'react';
import type { Region } from '#core/values/region.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { createPause } from '../contact/pause.ts';
import type { Coverage } from '../registration.ts';
import { fetchPostcode } from '../registration-api.ts';

type Props = Readonly<{
  region: Region;
  /** The postcode that the register has of the business; '' for none. */
  known: string;
  onFound(place: Coverage): void;
}>;

/** Where the day starts, without the map: four digits, and 500 ms later the area is there. */
export function PostcodeField({ region, known, onFound }: Props) {
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
