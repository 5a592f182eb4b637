import { createHash, randomBytes } from 'node:crypto';
import type { Clock, Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/answers.ts';
import { contextOf } from '#api/http/request-context.ts';
import { readableEvents } from '#core/event-store/codec.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { fold } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type RegistrationCommand, registrationDecider } from '#core/registration/decider.ts';
import type { RegistrationDraft } from '#core/registration/draft.ts';
import { isRegistrationEvent } from '#core/registration/events.ts';
import type { RegistrationState } from '#core/registration/state.ts';
import { findDraft, type StoredDraft } from './drafts.ts';

/** What it takes to carry a registration on. */
export type RegistrationDeps = Clock & Pick<Deps, 'config' | 'db' | 'store' | 'subjectKeys'>;

/** What its events have in common: the request's id, and where they differ from it, who acts and the instant. */
export type RegistrationCause = Readonly<{ correlation: string; actor?: string; at?: string }>;

/** A request as the cause of what it changes. */
export function causeOf(request: Request): RegistrationCause {
  return { correlation: contextOf(request).id };
}

/** What a registration's events tell, and its draft. */
export type Registration = NonNullable<RegistrationState> & Readonly<{ draft: RegistrationDraft }>;

export type LoadedRegistration = Readonly<{ stored: StoredDraft; registration: Registration }>;

/** A registration that may go on, and the secret that was named for it. */
export type OpenRegistration = LoadedRegistration & Readonly<{ rid: string; registrationId: string }>;

export type LoadingDeps = Pick<RegistrationDeps, 'db' | 'store' | 'subjectKeys' | 'now'>;

/** The registration of a request's `x-rid`. Throws 404 when there is none to go on with. */
export async function openRegistrationOf(deps: LoadingDeps, request: Request): Promise<OpenRegistration> {
  const found = await findRegistration(deps, request);
  if (!found || found.registration.completed !== null) throw noRegistration();
  return found;
}

/** The registration of a request's `x-rid`, completed ones included; null when there is none. */
export async function findRegistration(
  deps: LoadingDeps,
  request: Request,
): Promise<OpenRegistration | null> {
  const rid = ridOf(request.headers);
  if (rid === null) return null;
  const registrationId = registrationIdOf(rid);
  const loaded = await loadRegistration(deps, registrationId);
  return loaded && { ...loaded, rid, registrationId };
}

/** The registration of an id, completed ones included; null when it never began, ran out or was erased. */
export async function loadRegistration(
  deps: LoadingDeps,
  registrationId: string,
): Promise<LoadedRegistration | null> {
  const stored = await findDraft(deps, registrationId);
  const state = stored && (await readRegistration(deps, registrationId));
  return stored && state && { stored, registration: { ...state, draft: stored.draft ?? state.recorded } };
}

/** A registration as its events tell it, read from the log itself; null when it never began. */
export async function readRegistration(
  { store }: Pick<Deps, 'store'>,
  registrationId: string,
): Promise<RegistrationState> {
  const stream = streamName('registration', registrationId);
  return fold(registrationDecider, readableEvents(isRegistrationEvent, await store.readStream(stream)));
}

/** Lets the registration decide, unless the cause names another actor in the name of the account that is to be; answers what its events tell then. */
export async function decideRegistration(
  deps: Pick<Deps, 'store' | 'newId'>,
  command: RegistrationCommand,
  { cause, commandId = deps.newId() }: Readonly<{ cause: RegistrationCause; commandId?: string }>,
): Promise<NonNullable<RegistrationState>> {
  const { registrationId } = command.data;
  const { state } = await handleCommand(
    deps.store,
    registrationDecider,
    streamName('registration', registrationId),
    command,
    { commandId, actor: cause.actor ?? idsOf(registrationId).actor, correlation: cause.correlation },
  );
  if (state === null) throw noRegistration();
  return state;
}

const RID = /^[A-Za-z0-9_-]{43}$/;
/** Where the ids of everything that a registration opens come from. */
const REGISTRATIONS = '0f2b8c94-6c1e-5d1a-9a37-2f60c8e5d7b1';

/** The secret that a browser goes on with: 256 random bits. Stored nowhere. */
export function newRid(): string {
  return randomBytes(32).toString('base64url');
}

/** The secret in a request's `x-rid`; null when there is none of ours. */
function ridOf(headers: Headers): string | null {
  const rid = headers.get('x-rid') ?? '';
  return RID.test(rid) ? rid : null;
}

/** What a registration is called everywhere: the hash of its secret, which opens nothing. */
export function registrationIdOf(rid: string): string {
  return createHash('sha256').update(rid).digest('hex');
}

/** The ids that follow from a registration: the same ones in whichever process it is finished, and however often. */
export function idsOf(registrationId: string) {
  const commandId = uuidV5(REGISTRATIONS, registrationId);
  return {
    commandId,
    accountId: uuidV5(commandId, 'account'),
    businessId: uuidV5(commandId, 'business'),
    /** Who acts in the events: the account that is to be. */
    actor: `account:${uuidV5(commandId, 'account')}`,
  };
}

/** One answer for a registration that never was, ran out or is over: a guessed secret tells nothing. */
export function noRegistration(): HttpError {
  return new HttpError('not-found', 'This registration was not found, please start again');
}
