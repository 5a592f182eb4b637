import type { Pool } from 'pg';
import type { Config } from '#api/runtime/config/config.ts';
import { unreachedReason } from '#core/event-store/errors.ts';

/** What a check found, with one line that says what to do where something is to be done. Never holds a secret. */
export type Finding = Readonly<{ check: string; state: 'ok' | 'warning' | 'wrong'; line: string }>;

/** Something that is looked at by itself. Throws nothing that its runner does not turn into a finding. */
export type Check = Readonly<{ name: string; look(): Promise<Outcome | readonly Outcome[]> }>;

export type Outcome = readonly [state: Finding['state'], line: string];

/** What a room looks at in an installation. */
export type RoomCheck = Readonly<{
  name: string;
  look(
    installation: Readonly<{ db: Pool; config: Config; now: () => Date }>,
  ): Promise<Outcome | readonly Outcome[]>;
}>;

/** How long one check may take, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * Runs checks beside one another, each within its time. One that fails is `wrong` by the name and code of its error: a
 * message may repeat an address with its password.
 */
export async function runChecks(checks: readonly Check[], timeout = TIMEOUT): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async ({ name, look }) => {
      const outcomes = await inTime(look, timeout);
      return outcomes.map(([state, line]): Finding => ({ check: name, state, line }));
    }),
  );
  return found.flat();
}

async function inTime(look: Check['look'], timeout: number): Promise<readonly Outcome[]> {
  let timer: Timer | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(
      () => resolve(['wrong', `gave no answer within ${timeout / 1_000} s: see that it is reachable`]),
      timeout,
    );
  });
  try {
    const outcome = await Promise.race([look(), late]);
    return typeof outcome[0] === 'string' ? [outcome as Outcome] : (outcome as readonly Outcome[]);
  } catch (error) {
    const unreached = unreachedReason(error);
    if (unreached !== undefined) return [['wrong', unreached]];
    return [['wrong', `cannot be checked (${reasonOf(error)}): see that it is reachable`]];
  } finally {
    clearTimeout(timer);
  }
}

/** The name and code of an error. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}

/** One line for each finding: state, check, and what to do. */
export function findingLines(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings.map(({ check, state, line }) => `${state.padEnd(7)}  ${check.padEnd(width)}  ${line}`);
}
