import { isEmail, normaliseEmail, parsePhone } from '#core/values/contact.ts';
import { type StepAnswers, stageOf } from '#core/values/registration-steps.ts';
import { choiceInWords } from '#site/features/registration/trades/trade-choice.ts';
import { listInWords } from '#site/lib/list-in-words.ts';

/** What stands beside Next: what it still waits for, or what was chosen; '' where there is nothing to show. */
export function stepHint(step: number, answers: StepAnswers): string {
  switch (stageOf(step)) {
    case 'trades':
      return answers.specialties.length > 0 ? choiceInWords(answers) : 'Choose a trade and tick what you do';
    case 'bn': {
      const isNamed = (name: string) => !answers.hasBusiness || name.trim() !== '';
      return stillNeeded([
        [answers.hasBusiness, 'your business'],
        [isNamed(answers.tradingName), 'a trading name'],
        [isNamed(answers.firstName), 'your first name'],
        [isNamed(answers.lastName), 'your last name'],
      ]);
    }
    case 'mobile':
      return stillNeeded([
        [answers.emailVerified, hasEmail(answers) ? 'an email address that is free' : 'your email address'],
        [answers.phoneVerified, hasPhone(answers) ? 'the code we send you' : 'your mobile number'],
      ]);
    case 'password':
      return stillNeeded([
        [answers.passwordSet, 'a password'],
        [answers.terms, 'your yes to the terms'],
      ]);
    default:
      return '';
  }
}

function stillNeeded(parts: readonly (readonly [isThere: boolean, name: string])[]): string {
  const missing = parts.filter(([isThere]) => !isThere).map(([, name]) => name);
  return missing.length === 0 ? '' : `Still needed: ${listInWords(missing)}`;
}

function hasEmail({ email }: StepAnswers): boolean {
  return isEmail(normaliseEmail(email));
}

function hasPhone({ phone, region }: StepAnswers): boolean {
  return parsePhone(phone, region ?? undefined) !== null;
}
