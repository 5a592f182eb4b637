import type { Pool } from 'pg';
import type { Clock, Database } from '#api/deps.ts';
import type { GaugeDeclaration } from './metrics.ts';

/** How old a backup may be, in milliseconds: one is taken each minute. */
const OLD = 3_600_000;
/** What a backup is made of. */
const parts = ['log', 'keys', 'state', 'files'] as const;

/**
 * Up to which moment the parts of the last backup reach, when a restore of one was last tried, and when the keys on paper were
 * last compared; null: never. `failed` says since when none could be written, and why.
 */
export type BackupAges = Readonly<{
  log: Date | null;
  keys: Date | null;
  state: Date | null;
  files: Date | null;
  verified: Date | null;
  paper: Date | null;
  isOld: boolean;
  failed: Readonly<{ since: Date; reason: string }> | null;
}>;

/** As backups and `ute keys confirm` noted it in this database. */
export async function readBackupAges(db: Pool, now: Date): Promise<BackupAges> {
  const { rows } = await db.query<{ part: string; at: Date; reason: string | null }>(
    'select part, at, reason from state.backups',
  );
  const row = (part: string) => rows.find((one) => one.part === part);
  const at = (part: string) => row(part)?.at ?? null;
  const [log, failed] = [at('log'), row('failed')];
  return {
    ...{ log, keys: at('keys'), state: at('state'), files: at('files') },
    ...{ verified: at('verified'), paper: at('keys-on-paper') },
    isOld: log !== null && now.getTime() - log.getTime() > OLD,
    failed: failed ? { since: failed.at, reason: failed.reason ?? '' } : null,
  };
}

/** Ages are infinite before the first, so that one rule alerts to both. */
export function backupGauges({ db, now }: Clock & Pick<Database, 'db'>): GaugeDeclaration[] {
  const since = (at: Date | null) => (at ? Math.max(0, (now().getTime() - at.getTime()) / 1_000) : Infinity);
  return [
    {
      name: 'ute_backup_age_seconds',
      help: 'Time since the moment that a part of the last backup reaches to; +Inf before the first',
      labelNames: ['part'],
      read: async () => {
        const ages = await readBackupAges(db, now());
        return parts.map((part) => ({ labels: { part }, value: since(ages[part]) }));
      },
    },
    {
      name: 'ute_backup_failing_seconds',
      help: 'Time since which no backup could be written; 0 when the last one was',
      read: async () => {
        const { failed } = await readBackupAges(db, now());
        return [{ value: failed ? since(failed.since) : 0 }];
      },
    },
    {
      name: 'ute_backup_verified_seconds',
      help: 'Time since a restore of a backup was last tried and went well; +Inf before the first',
      read: async () => [{ value: since((await readBackupAges(db, now())).verified) }],
    },
  ];
}
