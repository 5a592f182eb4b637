import { readFileSync } from 'node:fs';
import { onRunnerGone } from './package-runner.ts';

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
