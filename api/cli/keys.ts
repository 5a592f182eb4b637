import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { checkValue } from '#api/backup/manifest.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { configure } from '#api/runtime/environment.ts';
import { rotateLogKey } from '#api/runtime/launch/secrets.ts';
import { type System, withSystem } from './system.ts';
import { print } from './terminal.ts';

export function addKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .description('The keys without which nothing that is stored can be opened: to be kept on paper.');
  keys
    .command('print')
    .description('Prints a page with them and their check values. It opens everything that is stored.')
    .action(() => print(pageOf(configure(process.env), new Date())));
  keys
    .command('confirm')
    .argument('<values...>', 'the check values on your paper, as `ute keys print` wrote them')
    .description('Notes that the keys on your paper are those of this installation.')
    .action((values: string[]) => withSystem((system) => confirm(system, values)));
}

/** The keys that a backup cannot be restored without, by their variables. */
function keysOf({ keys, proof }: Pick<Config, 'keys' | 'proof'>): readonly (readonly [string, Buffer])[] {
  return [
    ['DATA_KEY', keys.data],
    ['CLAIM_KEY', keys.claim],
    ...(proof === null ? [] : ([['LOG_KEY', proof.key]] as const)),
  ];
}

/** A page of A4: each key as hexadecimal digits in groups of four, with a check value that tells of no key. */
function pageOf(config: Config, now: Date): string[] {
  const lines = keysOf(config).flatMap(([variable, key]) => {
    const groups = key.toString('hex').match(/.{4}/g) ?? [];
    return [
      `${variable}   check value ${grouped(checkValue(variable, key))}`,
      `    ${groups.slice(0, 8).join(' ')}`,
      `    ${groups.slice(8).join(' ')}`,
      '',
    ];
  });
  return [
    `Keys of ${config.publicOrigin}, ${now.toISOString().slice(0, 10)}`,
    '',
    ...lines,
    'Keep this page in two places, away from the server, with the identity of age (AGE-SECRET-KEY-1…).',
    'Without DATA_KEY and the identity no backup can be restored. Write a key without its spaces where it is set.',
    'Then type the check values from the paper: ute keys confirm <check value> <check value> …',
  ];
}

/** Compares what was typed from the paper; all of them are needed, in any order. */
async function confirm({ pool, config }: System, values: readonly string[]): Promise<boolean> {
  const typed = values.map(plain);
  const own = keysOf(config).map(([variable, key]) => [variable, plain(checkValue(variable, key))] as const);
  const unknown = values.filter((value) => !own.some(([, right]) => right === plain(value)));
  if (unknown.length > 0) {
    throw new Error(
      `${unknown.join(' ')} is of no key of this installation: see the paper, or print it again.`,
    );
  }
  const missing = own.filter(([, right]) => !typed.includes(right)).map(([variable]) => variable);
  if (missing.length > 0) throw new Error(`The check value of ${missing.join(' and ')} is missing.`);
  await pool.query(
    `insert into state.backups (part, at) values ('keys-on-paper', now())
     on conflict (part) do update set at = excluded.at`,
  );
  print([`Noted: ${own.map(([variable]) => variable).join(', ')} are on paper.`]);
  return true;
}

const grouped = (value: string) => value.match(/.{1,4}/g)?.join('-') ?? value;

const plain = (value: string) => value.replaceAll('-', '').toLowerCase();

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
      newPaper,
    ]);
    return;
  }
  print([
    'Give the worker LOG_KEY_BEFORE, the value that LOG_KEY has now, and this new one, then start it again:',
    `LOG_KEY=${randomBytes(32).toString('base64')}`,
    newPaper,
  ]);
}

const newPaper = 'The paper has the key before: ute keys print, then ute keys confirm.';
