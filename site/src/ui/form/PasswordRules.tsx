import { passwordProblems } from '#core/values/account.ts';
import { Icon } from '#site/ui/Icon.tsx';

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
            {rule}
          </li>
        );
      })}
    </ul>
  );
}
