import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '#api/seed/volume/random-people.ts';

/** What became of the requests of an open loop. Times in milliseconds, from when each was meant to be sent. */
export type Sent = Readonly<{ latencies: readonly number[]; failed: number; late: number }>;

export type Schedule = Readonly<{ perSecond: number; seconds: number; seed?: number }>;

/** An answer that took longer is counted as this long, in milliseconds. */
const TIMEOUT = 5_000;
/** A send that is further behind its time was the generator's fault, in milliseconds. */
const LATE = 10;

/** Send times in milliseconds from the start, fixed beforehand: as customers come by, on average so many per second. */
export function sendTimes({ perSecond, seconds, seed = 1 }: Schedule): number[] {
  const random = createRandom('send times', perSecond, seconds, seed);
  const times: number[] = [];
  for (let at = 0; ; ) {
    at += (-Math.log(1 - random.next()) * 1_000) / perSecond;
    if (at >= seconds * 1_000) return times;
    times.push(at);
  }
}

/**
 * Sends at the times of the schedule, whatever the answers take, so that a stall of the server is felt by all who would
 * have come meanwhile. A failure counts as a timeout.
 */
export async function openLoop(schedule: Schedule, send: (index: number) => Promise<unknown>): Promise<Sent> {
  const latencies: number[] = [];
  let [failed, late] = [0, 0];
  const start = performance.now();
  const running = new Set<Promise<void>>();
  for (const [index, time] of sendTimes(schedule).entries()) {
    const intended = start + time;
    const wait = intended - performance.now();
    if (wait > 0) await pause(wait);
    if (performance.now() - intended > LATE) late += 1;
    const one = inTime(send(index)).then(
      () => void latencies.push(Math.min(TIMEOUT, performance.now() - intended)),
      () => {
        failed += 1;
        latencies.push(TIMEOUT);
      },
    );
    running.add(one);
    one.finally(() => running.delete(one));
  }
  await Promise.all(running);
  return { latencies, failed, late };
}

export function together(all: readonly Sent[]): Sent {
  return {
    latencies: all.flatMap(({ latencies }) => latencies),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    late: all.reduce((sum, { late }) => sum + late, 0),
  };
}

/** Above this share of late sends a figure says more of the generator than of what it measured. */
const LATE_SHARE = 0.01;

/** Whether a run counts, and how it went, for the report. */
export function soundness({ latencies, failed, late }: Sent): Readonly<{ isVoid: boolean; note: string }> {
  const share = latencies.length === 0 ? 1 : late / latencies.length;
  const isVoid = share > LATE_SHARE;
  const sends = `${failed} failed, ${(share * 100).toFixed(1)} % sent late`;
  return { isVoid, note: isVoid ? `VOID, the machine was too busy: ${sends}` : sends };
}

async function inTime(work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const late = pause(TIMEOUT, undefined, { signal: ended.signal }).then(() => {
    throw new Error('no answer in time');
  });
  try {
    await Promise.race([work, late]);
  } finally {
    ended.abort();
    late.catch(() => {});
  }
}
