import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { print } from '#api/cli/system.ts';
import { rotateLogKey } from '#api/runtime/launch/secrets.ts';

export function addLogKeyCommand(program: Command): void {
  const logKey = program.command('log-key').description('The key that signs checkpoints of the log.');
  logKey
    .command('rotate')
    .description('Makes a new one. The one before, LOG_KEY_BEFORE, signs beside it for 90 days.')
    .action(rotate);
}

/** Writes where the installation keeps its own secrets; prints what is to be set where the environment has them. */
function rotate(): void {
  const { LOG_KEY, LOG_KEY_FILE, NODE_ENV, DATA_DIR } = process.env;
  const ownSecrets = NODE_ENV !== 'production' && LOG_KEY === undefined && LOG_KEY_FILE === undefined;
  const dir = DATA_DIR?.trim() || '.data';
  if (ownSecrets && rotateLogKey(dir)) {
    print([
      `A new LOG_KEY is in ${dir}/secrets.json, the one before is LOG_KEY_BEFORE. Start the product again.`,
    ]);
    return;
  }
  print([
    'Give the worker LOG_KEY_BEFORE, the value that LOG_KEY has now, and this new one, then start it again:',
    `LOG_KEY=${randomBytes(32).toString('base64')}`,
  ]);
}
