import type { Deps } from '#api/deps.ts';
import { contextOf } from '#api/http/request-context.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { readableEvents } from '#core/event-store/typed-events.ts';
import { fold } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { RegistrationCommand } from '#core/registration/commands.ts';
import { registrationDecider } from '#core/registration/decider.ts';
import { isRegistrationEvent } from '#core/registration/events.ts';
import type { RegistrationState } from '#core/registration/state.ts';
import { type Draft, findDraft } from './drafts.ts';
import { idsOf, noRegistration, registrationIdOf, ridOf } from './registration-ids.ts';

export type Registration = NonNullable<RegistrationState>;

/** A draft that somebody may go on with, and the secret they named. */
export type OpenRegistration = Readonly<{
  rid: string;
  registrationId: string;
  draft: Draft;
  registration: Registration;
}>;

/** The registration of a request's `x-rid`. Throws 404 when there is none to go on with. */
export async function openRegistrationOf(deps: Deps, request: Request): Promise<OpenRegistration> {
  const found = await findRegistration(deps, request);
  if (!found || found.registration.completed !== null) throw noRegistration();
  return found;
}

/** The registration of a request's `x-rid`, completed ones included; null when there is none. */
export async function findRegistration(deps: Deps, request: Request): Promise<OpenRegistration | null> {
  const rid = ridOf(request.headers);
  if (rid === null) return null;
  const registrationId = registrationIdOf(rid);
  const draft = await findDraft(deps.db, registrationId, deps.now());
  const registration = draft && (await readRegistration(deps, registrationId));
  return draft && registration ? { rid, registrationId, draft, registration } : null;
}

/** A registration from its own events, so that everybody reads what they just wrote; null when it never began. */
export async function readRegistration(
  { store }: Pick<Deps, 'store'>,
  registrationId: string,
): Promise<Registration | null> {
  const stream = streamName('registration', registrationId);
  return fold(registrationDecider, readableEvents(isRegistrationEvent, await store.readStream(stream)));
}

/** Lets the registration decide, in the name of the account that is to be; answers what it has become. */
export async function decideRegistration(
  deps: Pick<Deps, 'store' | 'newId'>,
  command: RegistrationCommand,
  { request, commandId = deps.newId() }: Readonly<{ request: Request; commandId?: string }>,
): Promise<Registration> {
  const { registrationId } = command.data;
  const { state } = await handleCommand(
    deps.store,
    registrationDecider,
    streamName('registration', registrationId),
    command,
    { commandId, actor: idsOf(registrationId).actor, correlation: contextOf(request).id },
  );
  if (state === null) throw noRegistration();
  return state;
}
