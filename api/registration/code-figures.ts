import type { Pool } from 'pg';

/** Codes of the last hour: sent, and come back. Many sent and few come back is somebody who earns on SMS. */
export type CodeFigures = Readonly<{ sent: number; verified: number }>;

export async function codeFigures(db: Pool, now: Date): Promise<CodeFigures> {
  const { rows } = await db.query<CodeFigures>(
    `select count(*)::integer as sent, count(verified_at)::integer as verified
     from state.code_messages where sent_at > $1`,
    [new Date(now.getTime() - 3_600_000)],
  );
  return rows[0] ?? { sent: 0, verified: 0 };
}
