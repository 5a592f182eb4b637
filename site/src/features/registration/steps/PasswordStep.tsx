import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { passwordProblems } from '#core/values/account.ts';
import type { Registration } from '#site/features/registration/registration.ts';
import {
  $password,
  $saveFailure,
  changeVerify,
  typePassword,
} from '#site/features/registration/registration-store.ts';
import { StepHead } from '#site/features/registration/wizard/StepHead.tsx';
import { useAppForm } from '#site/ui/form/form.ts';
import { PasswordField, PasswordRules } from '#site/ui/form/PasswordField.tsx';

/** Step 5: the password, the news, and the terms. */
export function PasswordStep({ registration: { verify } }: Readonly<{ registration: Registration }>) {
  const form = useAppForm({
    defaultValues: { password: $password.get() },
    listeners: { onChange: ({ formApi }) => typePassword(formApi.state.values.password) },
  });
  // What the rules cannot judge, as that it is a common one, is in the server's answer.
  const refused = useStore($saveFailure)?.fields['verify.password'];
  useEffect(() => {
    form.setErrorMap({ onSubmit: { form: undefined, fields: { password: refused } } });
  }, [form, refused]);

  return (
    <>
      <StepHead title="Create a password">You sign in with it and your email address.</StepHead>
      <form.AppField name="password" validators={{ onChange: ({ value }) => passwordProblems(value)[0] }}>
        {({ state: { value } }) => (
          <PasswordField label="Password" autoComplete="new-password">
            {value === '' && verify.passwordSet ? (
              <p className="field__hint">Your password is kept. Type another one to change it.</p>
            ) : (
              <PasswordRules password={value} />
            )}
          </PasswordField>
        )}
      </form.AppField>
      <div className="wizard__ticks">
        <label className="check">
          <input
            type="checkbox"
            checked={verify.subscribe}
            onChange={(event) => changeVerify({ subscribe: event.target.checked })}
          />
          <span>Send me the newsletter: tips for the trade and what’s new, about once a month</span>
        </label>
        <label className="check">
          <input
            type="checkbox"
            required
            checked={verify.terms}
            onChange={(event) => changeVerify({ terms: event.target.checked })}
          />
          <span>
            <span>{'I agree to the '}</span>
            <NoticeLink href="/terms">terms</NoticeLink>
            <span>{' and the '}</span>
            <NoticeLink href="/privacy">privacy policy</NoticeLink>
          </span>
        </label>
      </div>
    </>
  );
}

/** Opens beside the wizard: what was typed stays where it is. */
function NoticeLink({ href, children }: Readonly<{ href: string; children: string }>) {
  return (
    <a href={href} target="_blank" rel="noopener">
      <span>{children}</span>
      <span className="sr"> (opens in a new tab)</span>
    </a>
  );
}
