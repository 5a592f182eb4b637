import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** `bun run` passes on the Ctrl-C that the terminal sent us too: what comes this soon is the same press, in milliseconds. */
const samePress = 1_000;

/**
 * Stops once on the first signal, or when the runner that started us is gone, and exits; a second signal exits at once.
 * @param stop resolves when nothing of ours runs any more
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  let since: number | undefined;
  const onSignal = () => {
    if (since === undefined) {
      since = Date.now();
      stop().then(
        () => process.exit(0),
        (error) => {
          console.error(`Ute did not stop cleanly: ${error.message}`);
          process.exit(1);
        },
      );
    } else if (Date.now() - since > samePress) process.exit(1);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  if (!hangupIgnored()) process.on('SIGHUP', onSignal);
  onRunnerGone(onSignal);
}

/** True under `nohup`, which means us to outlive the terminal. */
function hangupIgnored(): boolean {
  if (process.platform !== 'linux') return false;
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${ignored}`) & 1n) === 1n;
}

type Ancestor = Readonly<{ pid: number; parent: number; command: string }>;

/**
 * Calls back once a package runner that started us is gone: `npx` does not pass a signal on to what its shell started,
 * and a killed `bun run` passes nothing. Any other parent (a shell, a service) may end without us.
 */
function onRunnerGone(callback: () => void): void {
  const chain = runners();
  if (chain.length === 0) return;
  const watch = setInterval(() => {
    if (chain.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(watch);
    callback();
  }, 500);
  watch.unref();
}

/** Each process from ourselves up to the last whose parent is still `npm`, `npx` or `bun run`. */
function runners(): Ancestor[] {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return [];
  const chain: Ancestor[] = [];
  for (let pid = process.pid; pid > 1 && chain.length < 6; ) {
    const parent = parentOf(pid);
    chain.push({ pid, parent, command: commandOf(parent) });
    pid = parent;
  }
  const last = chain.findLastIndex(({ command }) =>
    /^(npm|npx)\b|np[mx](-cli)?\.js|\bbunx? .*run\b/.test(command),
  );
  return chain.slice(0, last + 1);
}

function parentOf(pid: number): number {
  if (pid === process.pid) return process.ppid;
  if (process.platform !== 'linux') return Number(ask('ppid=', pid));
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function commandOf(pid: number): string {
  if (process.platform !== 'linux') return ask('command=', pid);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function ask(column: string, pid: number): string {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
