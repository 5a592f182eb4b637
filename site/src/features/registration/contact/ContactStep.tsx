import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import {
  emailMessage,
  formatPhone,
  isEmail,
  maxEmailLength,
  normaliseEmail,
  parsePhone,
} from '#core/values/contact.ts';
import { type Region, regionNames } from '#core/values/region.ts';
import { StepHead } from '#site/features/registration/wizard/StepHead.tsx';
import { useAppForm } from '#site/ui/form/form.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { Registration } from '../registration.ts';
import { $emailCheck, type EmailCheck, recheckEmail, typeEmail } from './email-store.ts';
import { PhoneProofParts } from './PhoneProofParts.tsx';
import { $phoneProof, typePhone } from './phone-store.ts';

/** Step 4: an email that is free, and a mobile whose owner has it at hand. */
export function ContactStep({ registration }: Readonly<{ registration: Registration }>) {
  const { verify } = registration;
  const region = registration.region ?? 'au';
  const emailCheck = useStore($emailCheck);
  const { problem } = useStore($phoneProof);
  const form = useAppForm({
    defaultValues: { email: verify.email, phone: formatPhone(verify.phone) },
    listeners: {
      onChange: ({ formApi, fieldApi }) => {
        if (fieldApi.name === 'email') typeEmail(formApi.state.values.email);
        else typePhone(formApi.state.values.phone);
      },
    },
  });
  // A draft of another day, or one whose check got no answer, is asked about when it is next looked at.
  useEffect(recheckEmail, []);

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
        <form.AppField name="phone" validators={{ onChange: ({ value }) => phoneProblem(value, region) }}>
          {(field) => <field.PhoneField label="Mobile number" autoComplete="tel" refusal={problem} />}
        </form.AppField>
        <PhoneProofParts region={region} verify={verify} />
      </div>
    </>
  );
}

function emailProblem(typed: string): string | undefined {
  return isEmail(normaliseEmail(typed)) ? undefined : emailMessage;
}

function phoneProblem(typed: string, region: Region): string | undefined {
  if (parsePhone(typed, region) !== null) return undefined;
  const example = { au: '0412 345 678', nz: '021 123 4567' }[region];
  return `Enter a mobile number of ${regionNames[region]}, such as ${example}`;
}

/** What the server answered about the email, below its field. That it is taken is the field's own message. */
function EmailNote({ check, isFree }: Readonly<{ check: EmailCheck; isFree: boolean }>) {
  return (
    <>
      <p className="field__hint" role="status">
        {check.kind === 'checking' && 'Checking that it is free…'}
        {isFree && check.kind !== 'checking' && (
          <span className="wizard__ok">
            <Icon name="check" className="icon--sm" />
            This email is free
          </span>
        )}
      </p>
      {check.kind === 'unknown' && (
        <div className="alert alert--warning" role="alert">
          <Icon name="triangle-alert" />
          <div>
            {check.message}
            <button className="btn btn--secondary btn--sm" type="button" onClick={recheckEmail}>
              Check again
            </button>
          </div>
        </div>
      )}
    </>
  );
}
