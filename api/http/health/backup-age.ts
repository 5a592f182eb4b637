import type { Pool } from 'pg';
import type { Clock, Database } from '#api/deps.ts';
import type { GaugeDeclaration } from './metrics.ts';

/** How old a backup may be, in milliseconds: one is taken each minute. */
const OLD = 3_600_000;

/** Up to which moment the last backup reaches, and when the keys on paper were last compared; null: never. */
export type BackupAges = Readonly<{ log: Date | null; paper: Date | null; isOld: boolean }>;

/** As `ute backup` and `ute keys confirm` noted it in this database. */
export async function readBackupAges(db: Pool, now: Date): Promise<BackupAges> {
  const { rows } = await db.query<{ part: string; at: Date }>('select part, at from state.backups');
  const at = (part: string) => rows.find((row) => row.part === part)?.at ?? null;
  const log = at('log');
  return { log, paper: at('keys-on-paper'), isOld: log !== null && now.getTime() - log.getTime() > OLD };
}

/** The age of the last backup; infinite before the first, so that one rule alerts to both. */
export function backupGauges({ db, now }: Clock & Pick<Database, 'db'>): GaugeDeclaration[] {
  return [
    {
      name: 'ute_backup_age_seconds',
      help: 'Time since the moment that the last backup reaches to; +Inf before the first',
      read: async () => {
        const { log } = await readBackupAges(db, now());
        return [{ value: log ? Math.max(0, (now().getTime() - log.getTime()) / 1_000) : Infinity }];
      },
    },
  ];
}
