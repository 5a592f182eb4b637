import { useId, useState } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { passwordProblems } from '#core/values/account.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { FieldError } from './FieldError.tsx';
import { afterPointerRelease, shownProblem, useFieldContext } from './form-context.ts';

type Props = Readonly<{
  label: string;
  autoComplete: 'current-password' | 'new-password';
  /** What stands below the field and describes it, as `PasswordRules`. */
  children?: Elements;
}>;

/** A password with the word that shows and hides it. Put into an `AppField` by the forms that have one. */
export function PasswordField({ label, autoComplete, children }: Props) {
  const field = useFieldContext<string>();
  const id = useId();
  const [isShown, setShown] = useState(false);
  const { value, meta } = field.state;
  const problem = shownProblem(meta, value === '');
  const describedBy = [children && `${id}-more`, problem !== null && `${id}-problem`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <span className="affix">
        <input
          className="input"
          id={id}
          name={field.name}
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => field.handleChange(event.target.value)}
          onBlur={() => afterPointerRelease(field.handleBlur)}
          aria-invalid={problem !== null}
          aria-describedby={describedBy || undefined}
        />
        <span className="affix__end">
          <button className="affix__btn" type="button" aria-controls={id} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </button>
        </span>
      </span>
      {children && <div id={`${id}-more`}>{children}</div>}
      <FieldError id={`${id}-problem`} message={problem} />
    </div>
  );
}

/** Names to a password manager the account whose password a form asks for, where the form does not ask for the email. Seen and read by no one. */
export function WhosePassword({ email }: Readonly<{ email: string }>) {
  return (
    <input
      className="sr"
      type="email"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden
    />
  );
}

const rules = passwordProblems('');

/** The rules of a new password as it is typed, those that it meets ticked off. */
export function PasswordRules({ password }: Readonly<{ password: string }>) {
  const problems = passwordProblems(password);
  return (
    <ul className="pw-rules">
      {rules.map((rule) => {
        const isMet = !problems.includes(rule);
        return (
          <li key={rule} className={isMet ? 'is-met' : undefined}>
            <Icon name={isMet ? 'check' : 'circle-alert'} className="icon--sm" />
            {isMet && <span className="sr">Done:</span>}
            <span>{rule}</span>
          </li>
        );
      })}
    </ul>
  );
}
