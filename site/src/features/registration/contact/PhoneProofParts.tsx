import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import { formatPhone, parsePhone } from '#core/values/contact.ts';
import type { Region } from '#core/values/region.ts';
import { smsCodeLength } from '#core/values/registration-steps.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import type { Registration } from '../registration.ts';
import { $phoneProof, type PhoneProof, requestCode, typeCode } from './phone-store.ts';

/** The button that sends a code, then the code itself, then that the mobile is proved. */
export function PhoneProofParts({
  region,
  verify,
}: Readonly<{ region: Region; verify: Registration['verify'] }>) {
  const proof = useStore($phoneProof);
  if (verify.phoneVerified) {
    return (
      <p className="field__hint" role="status">
        <span className="wizard__ok">
          <Icon name="check" className="icon--sm" />
          Your mobile number is confirmed
        </span>
      </p>
    );
  }
  if (proof.sentTo !== null) return <CodeField proof={proof} sentTo={proof.sentTo} />;
  if (parsePhone(verify.phone, region) === null) return null;
  return (
    <button
      className="btn btn--secondary"
      type="button"
      disabled={proof.isSending}
      aria-busy={proof.isSending}
      onClick={() => void requestCode()}
    >
      Send code to verify
    </button>
  );
}

function CodeField({ proof, sentTo }: Readonly<{ proof: PhoneProof; sentTo: string }>) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const seconds = useSecondsUntil(proof.resendAt);
  // An effect, because the field has to be there: it comes up for the code that is on its way.
  useEffect(() => field.current?.focus(), []);
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        Code
      </label>
      <p className="field__hint" id={`${id}-sent`}>
        {`We sent ${smsCodeLength} digits to ${formatPhone(sentTo)}. They hold for 10 minutes.`}
      </p>
      <div className="wizard__code">
        <input
          className="input code"
          id={id}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          ref={field}
          value={proof.code}
          onChange={(event) => typeCode(event.target.value)}
          aria-invalid={proof.codeProblem !== null}
          aria-describedby={proof.codeProblem === null ? `${id}-sent` : `${id}-problem ${id}-sent`}
        />
        <button
          className="btn btn--quiet"
          type="button"
          disabled={seconds > 0 || proof.isSending}
          aria-busy={proof.isSending}
          aria-describedby={`${id}-again`}
          onClick={() => void requestCode()}
        >
          Resend Code
        </button>
      </div>
      <p className="field__hint" id={`${id}-again`}>
        {seconds > 0 ? `You can ask for another code in ${seconds} s` : ''}
      </p>
      <p className="sr" role="status">
        {proof.isVerifying ? 'Please wait...' : ''}
      </p>
      <FieldError id={`${id}-problem`} message={proof.codeProblem} isLate />
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
