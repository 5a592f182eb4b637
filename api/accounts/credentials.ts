import type { Pool, PoolClient } from 'pg';
import type { Clock, Deps } from '#api/deps.ts';
import { invalid } from '#api/http/answers.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf, type Session, turnOf } from '#api/http/request-context.ts';
import { passwordsOf } from './passwords.ts';
import { guessingLimit } from './sign-in/guessing.ts';

/** `hash` is a PHC string; `setAt` is when the password was chosen, which a mere renewal of its hash does not move. */
export type Credential = Readonly<{ accountId: string; businessId: string; hash: string; setAt: Date }>;

const COLUMNS = 'c.account_id as "accountId", c.business_id as "businessId", c.hash, c.changed_at as "setAt"';

/** The credential of the account that has an email for good, found by its reservation; never through a read model. */
export async function findCredential(db: Pool, emailKey: Buffer): Promise<Credential | null> {
  const { rows } = await db.query<Credential>({
    name: 'find-credential',
    text: `select ${COLUMNS} from state.reservations k
           join state.credentials c on c.account_id = k.owner
           where k.kind = 'email' and k.key = $1 and k.status = 'kept'`,
    values: [emailKey],
  });
  return rows[0] ?? null;
}

/** The credential of an account. */
export async function credentialOf(db: Pool, accountId: string): Promise<Credential | null> {
  const { rows } = await db.query<Credential>(
    `select ${COLUMNS} from state.credentials c where c.account_id = $1`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** The key of the email that an account has for good; null while it has none. */
async function emailKeyOf(db: Pool, accountId: string): Promise<Buffer | null> {
  const { rows } = await db.query<{ key: Buffer }>(
    `select key from state.reservations where owner = $1 and kind = 'email' and status = 'kept'`,
    [accountId],
  );
  return rows[0]?.key ?? null;
}

/** Gives an account its first password; the same again changes nothing. */
export async function createCredential(
  db: Pool,
  { accountId, businessId, hash }: Omit<Credential, 'setAt'>,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into state.credentials (account_id, business_id, hash, changed_at) values ($1, $2, $3, $4)
     on conflict (account_id) do nothing`,
    [accountId, businessId, hash, now],
  );
}

/** The same password hashed with more work, unless it was changed meanwhile. */
export async function renewHash(db: Pool, { accountId, hash }: Credential, renewed: string): Promise<void> {
  await db.query('update state.credentials set hash = $3 where account_id = $1 and hash = $2', [
    accountId,
    hash,
    renewed,
  ]);
}

/** Another password for an account; with `setAt`, only while that is the one it replaces. False when it is not. */
export async function replaceHash(
  db: PoolClient,
  { accountId, hash, setAt }: Readonly<{ accountId: string; hash: string; setAt?: Date }>,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update state.credentials set hash = $2, changed_at = greatest($3, changed_at + interval '1 millisecond')
     where account_id = $1 and ($4::timestamptz is null or changed_at = $4)`,
    [accountId, hash, now, setAt ?? null],
  );
  return rowCount === 1;
}

const TRIES = { name: 'owner-check', points: 5, seconds: 15 * 60 };

/**
 * Makes sure that the holder of a session also knows the password, before anything that could take the account away.
 * Five wrong ones in 15 minutes make this check refuse the session: the owner's other sessions keep theirs. Wrong ones count with
 * those of the login: after 20 in an hour it throws 400 with `botCheck` until a ticket comes along.
 */
export function createOwnerCheck(deps: Clock & Pick<Deps, 'config' | 'db' | 'logger' | 'messages'>) {
  const tries = sharedLimiter(deps, TRIES);
  const guessing = guessingLimit(deps);

  return async (session: Session, currentPassword: string, request: Request): Promise<Credential> => {
    // Before anything is counted: of several changes at once the later ones are answered with the first, not of a wrong password.
    const credential = await credentialOf(deps.db, session.accountId);
    const emailKey = await emailKeyOf(deps.db, session.accountId);
    const ticket = request.headers.get('x-bot-check');
    const guess = emailKey && { emailKey, ticket, address: contextOf(request).ip };
    const counted = guess ? await guessing.count(guess) : 0;
    const checkPassword = async () => {
      await tries.consume(session.id);
      return passwordsOf(deps.config).matches(
        currentPassword,
        credential?.hash ?? null,
        turnOf(deps, request),
      );
    };
    // What was refused before the password was checked is no wrong password.
    const right = await checkPassword().catch(async (error: unknown) => {
      if (guess) await guessing.takeBack(guess);
      throw error;
    });
    if (!right || !credential) {
      if (guess) await guessing.wasWrong(guess, counted);
      throw invalid({ currentPassword: 'This is not your current password' });
    }
    if (guess) await guessing.takeBack(guess);
    await tries.reset(session.id);
    return credential;
  };
}

export type OwnerCheck = ReturnType<typeof createOwnerCheck>;
