import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { NewMessage } from './outbox/queue.ts';
import { messageKinds } from './rooms.ts';

/** Where rooms declare their mails and SMS. */
const notRooms = ['providers', 'runtime'];
const files = globSync('**/messages.ts', { cwd: import.meta.dirname })
  .filter((file) => !notRooms.includes(file.split('/')[0] ?? ''))
  .map((file) => new URL(file, import.meta.url));
const sources = files.map((file) => readFileSync(file, 'utf8'));
const declared = [...messageKinds].map(({ kind }) => kind);

test('every kind is registered once', async () => {
  expect(files.length).toBeGreaterThan(7);
  expect(new Set(declared).size).toBe(declared.length);
  for (const file of files) {
    const exported = Object.values(await import(file.href)) as object[];
    const kinds = exported.filter((one) => typeof one === 'object' && 'compose' in one);
    expect(kinds).not.toEqual([]);
    for (const kind of kinds) expect(messageKinds).toContain(kind);
  }
});

test('every kind follows an event, or says what requests queue it with', () => {
  const queued = sources.flatMap((source) => {
    const interfaces = /interface QueuedMessages \{([^}]*(?:\}>;[^}]*)*)\}/.exec(source)?.[1] ?? '';
    return [...interfaces.matchAll(/^ {4}'?([a-z-]+)'?: Readonly</gm)].flatMap(([, kind]) => kind ?? []);
  });
  expect(queued.length).toBeGreaterThan(0);
  expect(queued.filter((kind) => !declared.includes(kind))).toEqual([]);
  const idle = messageKinds.filter(({ kind, follows }) => follows === undefined && !queued.includes(kind));
  expect(idle.map(({ kind }) => kind)).toEqual([]);
});

test('a kind that no file declares, and data that it does not, do not compile', () => {
  const declared: Pick<NewMessage<'password-changed'>, 'kind' | 'data'> = {
    kind: 'password-changed',
    data: { accountId: 'a' },
  };
  // @ts-expect-error: no room declares it.
  const undeclared: NewMessage<'password-forgotten'> | undefined = undefined;
  // @ts-expect-error: it is made from the id of an account.
  const wrong: typeof declared = { kind: 'password-changed', data: { claim: 'a' } };
  expect([declared.kind, undeclared, wrong.kind]).toEqual([declared.kind, undefined, declared.kind]);
});
