import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import type { GaugeDeclaration } from '#api/http/health/metrics.ts';

const MINUTE = 60_000;
/** How far the database's clock may be from that of the process, and how far either may go back, in milliseconds. */
const MOST_APART = 5 * MINUTE;
/** A step forward that is longer is a jump; also that of a machine that was off. */
const LONGEST_STEP = 24 * 60 * MINUTE;
/** How long nothing is erased after a jump: time for an operator who reads the alarm. */
const REST = 24 * 60 * MINUTE;

/**
 * Whether the clock of this process may say that something is to be erased, which cannot be taken back. It may not while the database's
 * clock says otherwise, nor for a day after it jumped: against what it said when this was last asked, and against the newest
 * checkpoint. What is due waits meanwhile, and an error is logged.
 */
export async function isClockTrusted({
  everyRow,
  now,
  logger,
}: Pick<Deps, 'now' | 'logger'> & Readonly<{ everyRow: Pool }>): Promise<boolean> {
  const { rows } = await everyRow.query<{ at: Date; seen: Date | null; resting: Date | null }>(
    `select clock_timestamp() as at, (select rests_until from state.clock_seen) as resting,
       greatest((select seen_at from state.clock_seen), (select max(made_at) from proof.checkpoints)) as seen`,
  );
  const [{ at, seen, resting } = { at: new Date(0), seen: null, resting: null }] = rows;
  const clock = now();
  if (Math.abs(clock.getTime() - at.getTime()) > MOST_APART) {
    logger.error({ event: 'clock-doubted', clock: clock.toISOString(), database: at.toISOString() });
    return false;
  }
  const step = seen === null ? 0 : clock.getTime() - seen.getTime();
  const isJump = step > LONGEST_STEP || step < -MOST_APART;
  const restsUntil = isJump ? new Date(clock.getTime() + REST) : resting;
  if (isJump) logger.error({ event: 'clock-jumped', clock: clock.toISOString(), before: seen, restsUntil });
  await everyRow.query(
    `insert into state.clock_seen (seen_at, rests_until) values ($1, $2)
     on conflict (only_row) do update set seen_at = excluded.seen_at, rests_until = excluded.rests_until`,
    [clock, restsUntil],
  );
  return restsUntil === null || clock >= restsUntil;
}

/** 1 while nothing is erased because the clock jumped. */
export function clockGauges({ db }: Pick<Deps, 'db'>): GaugeDeclaration[] {
  return [
    {
      name: 'ute_erasure_resting',
      help: '1 while nothing is erased, because the clock jumped less than a day ago',
      read: async () => {
        const { rows } = await db.query<{ n: number }>(
          'select count(*)::int as n from state.clock_seen where rests_until > seen_at',
        );
        return rows.map(({ n }) => ({ labels: {}, value: n }));
      },
    },
  ];
}
