import { createHmac } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { reservationKey } from '#api/accounts/reservations.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { HttpError, tooManyRequests } from '#api/http/answers.ts';
import { createTokens } from '#api/http/auth.ts';
import { addressKey, addressPrefix, widerNetworks } from '#api/http/client-address.ts';
import type { Turn } from '#api/http/gate.ts';
import { postgresCounter, sharedLimiter } from '#api/http/limits.ts';
import { normaliseEmail } from '#core/values/contact.ts';
import { type Credential, findCredential, renewHash } from './credentials.ts';
import { passwordsOf } from './passwords.ts';
import { userOf } from './profile.ts';
import { openSession } from './sessions.ts';
import { type Guess, guessingLimit } from './sign-in/guessing.ts';

export type LoginRequest = Readonly<{ email: string; password: string; rememberMe?: boolean }>;

/** From where a login comes: the client's address, what the browser calls itself, the ticket of a bot check, if any, and its turn at the hashes. */
export type Visitor = Readonly<{ address: string; device: string; ticket: string | null; turn: Turn }>;

/**
 * Opens a session. A wrong password and an unknown email are one answer, after the same work: 401 'Invalid credentials'. After many
 * wrong ones for that email, from wherever they came, 400 with `botCheck` until a ticket comes along.
 */
export function createLogin(
  deps: Clock & Pick<Deps, 'config' | 'db' | 'store' | 'readSide' | 'logger' | 'messages'>,
) {
  const limits = loginLimits(deps);
  const guessing = guessingLimit(deps);
  const signIn = createSignIn(deps);
  const passwords = passwordsOf(deps.config);

  /** What was refused before the password was checked is no wrong password. */
  async function unlessRefused<T>(guess: Guess, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await guessing.takeBack(guess);
      throw error;
    }
  }

  return async (
    { email: typed, password, rememberMe = true }: LoginRequest,
    { address, device, ticket, turn }: Visitor,
  ) => {
    const email = normaliseEmail(typed);
    const emailKey = reservationKey(deps.config, 'email', email);
    const guess = { emailKey, ticket, address };
    const counted = await guessing.count(guess);
    const credential = await unlessRefused(guess, async () => {
      await limits.throttle(email, address);
      return findCredential(deps.db, emailKey);
    });
    const right = await unlessRefused(guess, () =>
      passwords.matches(password, credential?.hash ?? null, turn),
    );
    if (!right || !credential) {
      await guessing.wasWrong(guess, counted);
      throw invalidCredentials();
    }
    await guessing.takeBack(guess);
    await limits.forgive(email, address);
    if (passwords.isOutdated(credential.hash))
      await renewHash(deps.db, credential, await passwords.hash(password, turn));
    const opened = await signIn(credential, { remember: rememberMe, device });
    if (!opened) throw invalidCredentials();
    return opened;
  };
}

function invalidCredentials(): HttpError {
  return new HttpError('wrong-credentials', 'Invalid credentials');
}

/** How long the session lasts, and what its owner knows the browser by. */
export type SigningIn = Readonly<{ remember: boolean; device: string }>;

/**
 * Opens a session for the person who just gave, or set, an account's password. Null when that was changed meanwhile. Throws 503
 * while the account is on its way to the read model.
 */
export function createSignIn(deps: Pick<Deps, 'config' | 'db' | 'store' | 'readSide' | 'logger' | 'now'>) {
  const tokens = createTokens(deps);

  return async ({ accountId, businessId, setAt: passwordSetAt }: Credential, signing: SigningIn) => {
    const user = await userOf(deps, accountId);
    const opening = { accountId, businessId, ...signing, passwordSetAt };
    const session = await openSession(deps.db, opening, deps.now());
    if (!session) return null;
    deps.logger.info({ event: 'signed-in', account: accountId, business: businessId });
    return { user, token: await tokens.sign({ accountId, sessionId: session.id }, session.expiresAt) };
  };
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const TRIES = { name: 'login', points: 5, seconds: 15 * MINUTE };
/** The same for the networks around an IPv6 client, which may change its /64 at will: its /56 and its /48. */
const WIDER_TRIES = [
  { name: 'login-56', points: 10, seconds: 15 * MINUTE },
  { name: 'login-48', points: 15, seconds: 15 * MINUTE },
];
const ROUNDS = { name: 'login-rounds', points: 1_000, seconds: 24 * HOUR };
const PER_ADDRESS = { name: 'login-address', points: 100, seconds: HOUR };
const WIDER_ADDRESSES = [
  { name: 'login-address-56', points: 200, seconds: HOUR },
  { name: 'login-address-48', points: 400, seconds: HOUR },
];
/** The wait after each round of five tries doubles from 15 minutes up to this many seconds. */
const LONGEST_WAIT = 4 * HOUR;

export type LoginLimits = Readonly<{
  /** Counts a try before the password is checked, so that tries at once cannot slip by. Throws 429. */
  throttle(email: string, address: string): Promise<void>;
  /** The right password was given: the tries are forgotten. */
  forgive(email: string, address: string): Promise<void>;
}>;

/**
 * Five tries in 15 minutes per account and address prefix, then a wait that grows; a hundred per hour and address. Of an IPv6
 * client the /56 and /48 are counted beside the /64, with more tries.
 * No owner is locked out from elsewhere: the owner's own address has its own count.
 */
function loginLimits(deps: Pick<Deps, 'config' | 'db'>): LoginLimits {
  if (deps.config.rateLimits === 'off') return { throttle: async () => {}, forgive: async () => {} };
  const tries = postgresCounter(deps, TRIES);
  const rounds = postgresCounter(deps, ROUNDS);
  const perAddress = sharedLimiter(deps, PER_ADDRESS);
  const widerTries = WIDER_TRIES.map((rule) => sharedLimiter(deps, rule));
  const widerAddresses = WIDER_ADDRESSES.map((rule) => sharedLimiter(deps, rule));
  const keyOf = (email: string, network: string) =>
    createHmac('sha256', deps.config.keys.claim).update(`login ${email} ${network}`).digest('base64url');

  return {
    async throttle(email, address) {
      await perAddress.consume(addressKey(address));
      const wider = widerNetworks(address);
      for (const [index, network] of wider.entries()) await widerAddresses[index]?.consume(network);
      for (const [index, network] of wider.entries()) await widerTries[index]?.consume(keyOf(email, network));
      const key = keyOf(email, addressPrefix(address));
      const refusal = await tries.consume(key).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (refusal === null) return;
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      if (refusal.consumedPoints !== TRIES.points + 1) throw tooManyRequests(refusal.msBeforeNext / 1000);
      const round = await rounds.penalty(key);
      const wait = Math.min(TRIES.seconds * 2 ** (round.consumedPoints - 1), LONGEST_WAIT);
      // `block` starts the key's count beyond the limit, so the next refusals of this wait do not lengthen it.
      await tries.block(key, wait);
      throw tooManyRequests(wait);
    },
    async forgive(email, address) {
      const key = keyOf(email, addressPrefix(address));
      const wider = widerNetworks(address).map((network, index) =>
        widerTries[index]?.reset(keyOf(email, network)),
      );
      await Promise.all([tries.delete(key), rounds.delete(key), ...wider]);
    },
  };
}
