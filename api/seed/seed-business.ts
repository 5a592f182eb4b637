import { readAccount } from '#api/accounts/load-account.ts';
import { newPasswordProblem, passwordsOf } from '#api/accounts/passwords.ts';
import type { RegistrationDeps } from '#api/registration/load-registration.ts';
import { type Applicant, idsOfCommand, normaliseApplicant, register } from '#api/registration/register.ts';
import { accountDecider } from '#core/account/decider.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { defaultThemeColour, type ThemeColour } from '#core/values/theme-colours.ts';

/** A business as its owner has set it up. */
export type SeededBusiness = Applicant &
  Readonly<{
    slug: string;
    password: string;
    theme?: ThemeColour;
    /** The text under "About us". */
    intro?: string;
    /** What the public page shows of the owner; nothing when absent. */
    contact?: Readonly<{ phone: string | null; email: string | null }>;
  }>;

/**
 * `commandId` is a UUID: the same one again finishes what a crash left, and never opens a second business.
 * `at` is the instant of the events, for what happened before; else they happen now.
 */
export type SeedCause = Readonly<{ commandId: string; actor: string; correlation: string; at?: string }>;

export type RegisteredBusiness = Readonly<{ accountId: string; businessId: string; position: Position }>;

/**
 * Registers an invented business, then does what an owner does next: chooses how it looks, and confirms the email. Throws
 * InvalidInputError with fields, and ConflictError when another account has the email, mobile or slug. `hash`: how the
 * password is hashed, where that is known.
 */
export async function seedBusiness(
  deps: RegistrationDeps,
  typed: SeededBusiness,
  cause: SeedCause,
  hash: (password: string) => Promise<string> = passwordsOf(deps.config).hash,
): Promise<RegisteredBusiness> {
  const business = checked(typed);
  const { commandId, actor, correlation } = cause;
  const { registrationId, accountId, businessId } = idsOfCommand(commandId);
  // It is confirmed last: from then on the business is its owner's.
  const done = (await readAccount(deps, accountId)).find(({ type }) => type === 'AccountEmailConfirmed');
  if (done) return { accountId, businessId, position: done.position };

  const passwordHash = () => hash(business.password);
  await register(deps, business, { registrationId, cause, passwordHash });

  const at = cause.at ?? deps.now().toISOString();
  const own = (type: string) => ({ actor, correlation, commandId: uuidV5(commandId, type) });
  const { email, theme = defaultThemeColour, intro = '', contact } = business;
  const commands: readonly BusinessCommand[] = [
    { type: 'ChangeTheme', at, data: { businessId, theme } },
    { type: 'IntroduceBusiness', at, data: { businessId, intro } },
    ...(contact ? [{ type: 'PublishBusinessContact', at, data: { businessId, ...contact } } as const] : []),
  ];
  const setUp = { type: 'Batch', at, data: { commands } } as const;
  const stream = streamName('business', businessId);
  await handleCommand(deps.store, batchDecider(businessDecider), stream, setUp, own(setUp.type));

  const confirm = { type: 'ConfirmAccountEmail', at, data: { accountId, email } } as const;
  const accountStream = streamName('account', accountId);
  const confirmed = await handleCommand(
    deps.store,
    accountDecider,
    accountStream,
    confirm,
    own(confirm.type),
  );
  return { accountId, businessId, position: confirmed.position };
}

function checked(typed: SeededBusiness): SeededBusiness {
  const business = normaliseApplicant(typed);
  const password = newPasswordProblem(business.password, business.email);
  if (password !== null) throw new InvalidInputError('Please check what you entered', { password });
  return business;
}
