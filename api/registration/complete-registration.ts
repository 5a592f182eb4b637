import { createHash } from 'node:crypto';
import { reservationsOf, reserve, takenMessages } from '#api/accounts/reservations.ts';
import { taglineOf, zoneOf } from '#api/businesses/place-of-business.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { changedMessage, stepAnswers } from '#core/registration/draft.ts';
import type { RegistrationEvent } from '#core/registration/events.ts';
import { furthestStep, lastStep } from '#core/values/registration-steps.ts';
import { slugsFrom } from '#core/values/slug.ts';
import { recordMilestones, TRIES, unfinished } from './change-draft.ts';
import { findDraft, noteCompletionKey, pendingHash } from './drafts.ts';
import { finishRegistration } from './finish-registration.ts';
import {
  decideRegistration,
  idsOf,
  type LoadedRegistration,
  loadRegistration,
  noRegistration,
  type OpenRegistration,
  type Registration,
  type RegistrationCause,
  type RegistrationDeps,
} from './load-registration.ts';

/** How long a completion may be asked for again under its key, in milliseconds: its answer may have been lost. */
const AGAIN_MS = 15 * 60_000;

type CompletedData = RegistrationEvent<'RegistrationCompleted'>['data'];

/** What a completion is caused by, and what need not be found: the addresses to try, and the line under the name. */
type Completion = Readonly<{
  cause: RegistrationCause;
  addresses?: typeof slugsFrom | (() => Iterable<string>);
  tagline?: string;
}>;

export type CompletedRegistration = Readonly<{ accountId: string; position: Position }>;

/**
 * Turns a draft into an account, from what the server knows of it. Once, whatever is repeated or runs at once: the same
 * key again answers the same account. Throws 409 for steps that are not done and for an email or mobile of another
 * account, 404 for a registration that is over. `addresses`: those of a business by its name, the best first.
 */
export async function completeRegistration(
  deps: RegistrationDeps,
  open: OpenRegistration,
  key: string | null,
  { cause, addresses = slugsFrom, tagline }: Completion,
): Promise<CompletedRegistration> {
  const keyHash = key === null ? null : createHash('sha256').update(key).digest('hex');
  const { registrationId } = open;
  let { stored, registration }: LoadedRegistration = open;
  for (let attempt = 1; registration.completed === null; attempt += 1) {
    const { revision } = stored;
    const noteKey = () => noteCompletionKey(deps.db, { registrationId, revision }, keyHash);
    const isNoted = await noteKey();
    const completed = isNoted
      ? await decide(deps, registration, noteKey, { cause, addresses, tagline })
      : null;
    if (completed) return finish(deps, completed, cause);
    if (attempt === TRIES) throw new ConflictError(changedMessage, 'changed-meanwhile');
    const loaded = await loadRegistration(deps, registrationId);
    if (!loaded) throw noRegistration();
    ({ stored, registration } = loaded);
    // By another request for the same, which this one began beside.
    if (isNoted && registration.completed) return finish(deps, registration.completed, cause);
  }
  const age = deps.now().getTime() - Date.parse(registration.completed.completedAt);
  // Read anew: what was loaded may be from before the completion, and its key is noted before that.
  const noted = await findDraft(deps, registrationId);
  if (keyHash === null || keyHash !== noted?.completionKeyHash || age > AGAIN_MS) throw noRegistration();
  return finish(deps, registration.completed, cause);
}

async function finish(
  deps: RegistrationDeps,
  completed: CompletedData,
  cause: RegistrationCause,
): Promise<CompletedRegistration> {
  const position = await finishRegistration(deps, completed, cause);
  return { accountId: completed.accountId, position };
}

type Deciding = Readonly<Required<Omit<Completion, 'tagline'>> & { tagline: string | undefined }>;

/**
 * The one event that decides everything else. What only one account may have is reserved before it. `noteKey` notes the key
 * while the draft is the one that was loaded; null when it was changed before the event.
 */
async function decide(
  deps: RegistrationDeps,
  registration: Registration,
  noteKey: () => Promise<boolean>,
  { cause, addresses, tagline }: Deciding,
): Promise<CompletedData | null> {
  const { registrationId, draft } = registration;
  const { answers, verifiedEmail: email, verifiedPhone: phone } = draft;
  const { region } = answers;
  const ready = furthestStep(stepAnswers(draft)) === lastStep && region !== null;
  if (!ready || email === null || phone === null) throw unfinished(draft);
  if ((await pendingHash(deps.db, registrationId)) === null) {
    if (!(await noteKey())) return null;
    throw unfinished({ ...draft, passwordSet: false });
  }
  // Where a process ended between a draft and its milestones.
  await recordMilestones(deps, registration, cause);
  const { accountId, businessId, commandId } = idsOf(registrationId);
  const candidates = addresses(answers.tradingName, registrationId);
  const slug = await reserveIdentity(deps, accountId, { email, phone, candidates });
  const place = { tagline: tagline ?? (await taglineOf(answers, region)), timeZone: zoneOf(answers, region) };
  const data = { registrationId, accountId, businessId, email, phone, slug, ...place, draft };
  const command = { type: 'CompleteRegistration', at: cause.at ?? deps.now().toISOString(), data } as const;
  const id = uuidV5(commandId, command.type);
  // What another browser changed meanwhile must not be lost: of that, the log has the milestones alone.
  if (!(await noteKey())) return null;
  const { completed } = await decideRegistration(deps, command, { cause, commandId: id });
  if (completed === null) throw noRegistration();
  return completed;
}

type Identity = Readonly<{ email: string; phone: string; candidates: Iterable<string> }>;

/** Reserves the email, the mobile and the first free address for the account. Throws 409 when one is another's. */
async function reserveIdentity(
  deps: RegistrationDeps,
  accountId: string,
  { email, phone, candidates }: Identity,
): Promise<string> {
  for (const slug of candidates) {
    const wanted = reservationsOf(deps.config, { email, phone, slug });
    const taken = await reserve(deps.db, accountId, wanted, deps.now());
    if (taken.length === 0) return slug;
    const own = taken.find((kind) => kind !== 'slug');
    if (own) throw new ConflictError(takenMessages[own], 'taken');
  }
  throw new ConflictError(takenMessages.slug, 'taken');
}
