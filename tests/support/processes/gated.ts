import { type TcpGate, tcpGate } from '#tests/support/servers/outages.ts';
import { killAll, startUteProcess, type Ute } from './processes.ts';

/** A process, and what stands between it and its database. */
export type Gated = Readonly<{ ute: Ute; gate: TcpGate }>;

export type GatedProcesses = Readonly<{
  /** The process that took over after the last kill, or a first one. Given once: what a failed test leaves serves no other. */
  running(): Promise<Gated>;
  start(): Promise<Gated>;
  /** What took over after a kill and did what it had to is the next to be killed. */
  tookOver(one: Gated): void;
  close(): Promise<void>;
}>;

/** Processes of Ute that tests kill, each on this database through a gate of its own. */
export function gatedProcesses(databaseUrl: string, dataDir: string): GatedProcesses {
  const processes: Ute[] = [];
  const gates: TcpGate[] = [];
  let survivor: Gated | undefined;
  async function start(): Promise<Gated> {
    const gate = await tcpGate(databaseUrl);
    gates.push(gate);
    const ute = await startUteProcess({ DATABASE_URL: gate.url, DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    processes.push(ute);
    return { ute, gate };
  }
  return {
    start,
    async running() {
      const one = survivor ?? (await start());
      survivor = undefined;
      return one;
    },
    tookOver(one) {
      survivor = one;
    },
    async close() {
      await killAll(processes);
      for (const gate of gates) await gate.close();
    },
  };
}
