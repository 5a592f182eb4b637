import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { emailMessage, isEmail, maxEmailLength, normaliseEmail } from '#core/values/contact.ts';
import { formatPhone } from '#core/values/phone.ts';
import type { Region } from '#core/values/region.ts';
import { mobileProblem } from '#core/values/registration-steps.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import type { Registration } from '#site/features/registration/registration.ts';
import { changeVerify } from '#site/features/registration/registration-store.ts';
import { StepHead } from '#site/features/registration/wizard/StepHead.tsx';
import { CodeField } from '#site/ui/form/CodeField.tsx';
import { useAppForm } from '#site/ui/form/form.ts';
import { publicSwitchLabel } from '#site/ui/form/public-switch.ts';
import { SwitchRow } from '#site/ui/form/SwitchRow.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import {
  $emailCheck,
  $phoneProof,
  type EmailCheck,
  type PhoneProof,
  recheckEmail,
  requestCode,
  resumeCode,
  typeCode,
  typeEmail,
  typePhone,
} from './contact-stores.ts';

/** Step 4: an email that is free, and a mobile whose owner has it at hand. */
export function ContactStep({ registration }: Readonly<{ registration: Registration }>) {
  const { verify } = registration;
  const region = registration.region ?? 'au';
  const emailCheck = useStore($emailCheck);
  const { problem } = useStore($phoneProof);
  const form = useAppForm({
    defaultValues: { email: verify.email, phone: formatPhone(verify.phone, region) },
    listeners: {
      onChange: ({ formApi, fieldApi }) => {
        if (fieldApi.name === 'email') typeEmail(formApi.state.values.email);
        else typePhone(formApi.state.values.phone);
      },
    },
  });
  // A draft of another day, or one whose check got no answer, is asked about when it is next looked at.
  useEffect(recheckEmail, []);
  useEffect(resumeCode, []);

  return (
    <>
      <StepHead title="Contact details">
        You sign in with your email, and we tell you of new jobs on both.
      </StepHead>
      <div className="wizard__field">
        <form.AppField name="email" validators={{ onChange: ({ value }) => emailProblem(value) }}>
          {(field) => (
            <field.TextField
              label="Email address"
              type="email"
              inputMode="email"
              autoComplete="email"
              maxLength={maxEmailLength}
              refusal={emailCheck.kind === 'taken' ? emailCheck.message : null}
            />
          )}
        </form.AppField>
        <EmailNote check={emailCheck} isFree={verify.emailVerified} />
      </div>
      <div className="wizard__field">
        <form.AppField
          name="phone"
          validators={{ onChange: ({ value }) => mobileProblem(value, region) ?? undefined }}
        >
          {(field) => <field.PhoneField label="Mobile number" autoComplete="tel" refusal={problem} />}
        </form.AppField>
        <PhoneProofParts region={region} verify={verify} />
        <div className="rows">
          <SwitchRow
            label={publicSwitchLabel}
            note="Customers can call this number from your job form. You can change it later."
            isOn={verify.showPhone}
            onTurn={(showPhone) => changeVerify({ showPhone })}
          />
        </div>
      </div>
    </>
  );
}

function emailProblem(typed: string): string | undefined {
  return isEmail(normaliseEmail(typed)) ? undefined : emailMessage;
}

/** What the server answered about the email, below its field. That it is taken is the field's own message. */
function EmailNote({ check, isFree }: Readonly<{ check: EmailCheck; isFree: boolean }>) {
  return (
    <>
      <p className="field__hint" role="status">
        {check.kind === 'checking' && <span>Checking that it is free…</span>}
        {isFree && check.kind !== 'checking' && (
          <span className="wizard__ok">
            <Icon name="check" className="icon--sm" />
            <span>This email is free</span>
          </span>
        )}
      </p>
      {check.kind === 'unknown' && (
        <div className="alert alert--warning" role="alert">
          <Icon name="triangle-alert" />
          <div>
            <span>{check.message}</span>
            <button className="btn btn--secondary btn--sm" type="button" onClick={recheckEmail}>
              Check again
            </button>
          </div>
        </div>
      )}
    </>
  );
}

/** The button that sends a code, then the code itself, then that the mobile is proved. */
function PhoneProofParts({ region, verify }: Readonly<{ region: Region; verify: Registration['verify'] }>) {
  const proof = useStore($phoneProof);
  if (verify.phoneVerified) {
    return (
      <p className="field__hint" role="status">
        <span className="wizard__ok">
          <Icon name="check" className="icon--sm" />
          <span>Your mobile number is confirmed</span>
        </span>
      </p>
    );
  }
  if (proof.sentTo !== null) return <CodeStep proof={proof} sentTo={proof.sentTo} />;
  if (readPhone(verify.phone, region) === null) return null;
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

function CodeStep({ proof, sentTo }: Readonly<{ proof: PhoneProof; sentTo: string }>) {
  const field = useRef<HTMLInputElement>(null);
  // An effect, because the field has to be there: it comes up for the code that is on its way.
  useEffect(() => field.current?.focus(), []);
  return (
    <CodeField
      sentTo={sentTo}
      code={proof.code}
      problem={proof.codeProblem}
      field={field}
      onType={typeCode}
      resendAt={proof.resendAt}
      isResending={proof.isSending}
      onResend={() => void requestCode()}
      status={proof.isVerifying ? 'Please wait...' : ''}
    />
  );
}
