import { type RefObject, useEffect, useId, useState } from 'react';
import { formatPhone } from '#core/values/phone.ts';
import { smsCodeLength } from '#core/values/registration-steps.ts';
import { FieldError } from './FieldError.tsx';

type Props = Readonly<{
  /** The mobile that the code went to, E.164. */
  sentTo: string;
  /** What is typed: digits alone, as `onType` got them. */
  code: string;
  problem: string | null;
  field: RefObject<HTMLInputElement | null>;
  onType(digits: string): void;
  /** From when on another code may be asked for, in milliseconds since the epoch. */
  resendAt: number;
  isResending: boolean;
  onResend(): void;
  /** What is done with the code now, for screen readers. */
  status?: string;
}>;

/** The field of a code that went out by SMS, and the button for another one, which waits its time. */
export function CodeField(props: Props) {
  const { sentTo, code, problem, field, onType, resendAt, isResending, onResend, status } = props;
  const id = useId();
  const seconds = useSecondsUntil(resendAt);
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        Code
      </label>
      <p className="field__hint" id={`${id}-sent`}>
        {`We sent ${smsCodeLength} digits to ${formatPhone(sentTo)}. The code works for 10 minutes.`}
      </p>
      <div className="code-row">
        <input
          className="input code"
          id={id}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          // A code that is pasted may have spaces.
          maxLength={20}
          ref={field}
          value={code}
          onChange={({ target }) => onType(target.value.replace(/\D/g, '').slice(0, smsCodeLength))}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? `${id}-sent` : `${id}-problem ${id}-sent`}
        />
        <button
          className="btn btn--quiet"
          type="button"
          disabled={seconds > 0 || isResending}
          aria-busy={isResending}
          aria-describedby={`${id}-again`}
          onClick={onResend}
        >
          Resend Code
        </button>
      </div>
      <p className="field__hint" id={`${id}-again`}>
        {seconds > 0 ? `You can ask for another code in ${seconds} s` : ''}
      </p>
      <p className="sr" role="status">
        {status}
      </p>
      <FieldError id={`${id}-problem`} message={problem} isLate />
    </div>
  );
}

/** Whole seconds until an instant in milliseconds since the epoch, counted down; 0 once it has gone by. */
function useSecondsUntil(instant: number): number {
  const [now, setNow] = useState(Date.now);
  const seconds = Math.max(0, Math.ceil((instant - now) / 1_000));
  const isOver = seconds === 0;
  useEffect(() => {
    setNow(Date.now());
    if (isOver && instant <= Date.now()) return;
    const ticking = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(ticking);
  }, [instant, isOver]);
  return seconds;
}
