import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { findAddresses } from '#projections/public-form/read.ts';
import { type Config, ConfigError } from './config/config.ts';
import { keyVariables } from './config/keys.ts';

type Installation = Pick<Config, 'keys' | 'databaseUrl' | 'dataDir' | 'environment'>;

/** Keys whose loss loses data. Those that sign tokens and challenges may change: people then sign in again. */
const guarded = ['data', 'claim'] as const;

/**
 * Compares the keys with those that the database was filled with, and notes them where there are none yet. Throws
 * ConfigError, one line that names what to restore, when they are others. To be called before anything is written.
 * @param keyOfSlug the key under which a public address is reserved, made with the installation's `CLAIM_KEY`
 */
export async function checkKeys(
  db: Pool,
  installation: Installation,
  keyOfSlug: (slug: string) => Buffer,
): Promise<void> {
  const { keys } = installation;
  const given = guarded.map((purpose) => ({
    variable: keyVariables[purpose],
    fingerprint: createHmac('sha256', keys[purpose]).update(`fingerprint ${purpose}`).digest(),
  }));
  const noted = await readNoted(db);
  const unproved = noted.size === 0 ? await unprovedKeys(db, keys, keyOfSlug) : [];
  if (unproved.length > 0) throw wrongKeys(unproved, installation);
  for (const { variable, fingerprint } of given) {
    if (noted.has(variable)) continue;
    await db.query(
      'insert into state.key_fingerprints (variable, fingerprint) values ($1, $2) on conflict do nothing',
      [variable, fingerprint],
    );
  }
  // Of two first starts with different keys, the one that noted them later is refused too.
  const known = noted.size === given.length ? noted : await readNoted(db);
  const wrong = given.filter(({ variable, fingerprint }) => !known.get(variable)?.equals(fingerprint));
  if (wrong.length > 0)
    throw wrongKeys(
      wrong.map(({ variable }) => variable),
      installation,
    );
}

async function readNoted(db: Pool): Promise<ReadonlyMap<string, Buffer>> {
  const { rows } = await db.query<{ variable: string; fingerprint: Buffer }>(
    'select variable, fingerprint from state.key_fingerprints',
  );
  return new Map(rows.map(({ variable, fingerprint }) => [variable, fingerprint]));
}

/** A database filled before fingerprints were noted: which variables are not the keys that its rows were made with. */
async function unprovedKeys(
  db: Pool,
  keys: Config['keys'],
  keyOfSlug: (slug: string) => Buffer,
): Promise<string[]> {
  return [
    ...((await opensSubjectKeys(db, keys.data)) ? [] : [keyVariables.data]),
    ...((await findsReservation(db, keyOfSlug)) ? [] : [keyVariables.claim]),
  ];
}

/** Every address of a public form was reserved: one of them tells whether CLAIM_KEY is the one. True where nothing is reserved. */
async function findsReservation(db: Pool, keyOfSlug: (slug: string) => Buffer): Promise<boolean> {
  const slugs = await findAddresses(db, 20);
  if (slugs.length === 0) return true;
  const { rows } = await db.query<{ found: boolean }>(
    `select exists (select from state.reservations where kind = 'slug' and key = any($1))
       or not exists (select from state.reservations where kind = 'slug') as found`,
    [slugs.map(keyOfSlug)],
  );
  return rows[0]?.found === true;
}

/** Its newest subject key tells whether DATA_KEY is the one. */
async function opensSubjectKeys(db: Pool, dataKey: Buffer): Promise<boolean> {
  const { rows } = await db.query<{ subject: string }>(
    'select subject from state.subject_keys where wrapped_key is not null order by created_at desc limit 1',
  );
  const subjects = rows.map(({ subject }) => subject);
  const opened = await createSubjectKeys({ pool: db, dataKey }).find(subjects);
  return opened.size === subjects.length;
}

function wrongKeys(variables: readonly string[], installation: Installation): ConfigError {
  const { databaseUrl, dataDir, environment } = installation;
  const names = variables.join(' and ');
  const [are, keys] = variables.length === 1 ? ['is not', 'the key'] : ['are not', 'the keys'];
  const database = databaseUrl ? `the database at ${placeOf(databaseUrl)}` : `the database in ${dataDir}`;
  const restore =
    environment === 'production'
      ? `set ${names} as before, from your copy of the keys`
      : `restore ${dataDir}/secrets.json, which belongs to this database, or set ${names} as before`;
  return new ConfigError(
    `Configuration: ${names} ${are} ${keys} that ${database} was filled with, and nothing was changed: ${restore}.`,
  );
}

/** Host, port and name: an address may hold a password. */
function placeOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
