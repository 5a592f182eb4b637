import { expect, test } from 'vitest';
import { ApiError } from '#site/lib/http/api.ts';
import { type Switches, savedSwitches } from './saved-switches.ts';

type Channel = 'email' | 'sms';
const bothOn: Switches<Channel> = { email: true, sms: true };

/** A server that answers when the test lets it. */
function aServer() {
  let stored = bothOn;
  const waiting: { settle(): void; refuse(error: Error): void }[] = [];
  const asked: [Channel, boolean][] = [];
  const save = (name: Channel, value: boolean) => {
    asked.push([name, value]);
    return new Promise<Switches<Channel>>((resolve, reject) => {
      const settle = () => {
        stored = { ...stored, [name]: value };
        resolve(stored);
      };
      waiting.push({ settle, refuse: reject });
    });
  };
  const next = async () => {
    for (let turns = 0; waiting.length === 0 && turns < 20; turns += 1) await Promise.resolve();
    const call = waiting.shift();
    if (!call) throw new Error('nothing was asked');
    return call;
  };
  return { save, asked, next };
}

test('a switch turns at once, and shows when it is saved', async () => {
  const server = aServer();
  const { $switches, turn } = savedSwitches(bothOn, server.save);
  const done = turn('sms', false);
  expect($switches.get()).toMatchObject({ values: { email: true, sms: false }, phases: { sms: 'saving' } });
  (await server.next()).settle();
  await done;
  expect($switches.get()).toEqual({
    values: { email: true, sms: false },
    phases: { sms: 'saved' },
    problem: null,
  });
});

test('one that is not saved goes back, and shows why', async () => {
  const server = aServer();
  const { $switches, turn } = savedSwitches(bothOn, server.save);
  const done = turn('sms', false);
  (await server.next()).refuse(new ApiError('Down for a moment', 503));
  await done;
  expect($switches.get()).toEqual({
    values: bothOn,
    phases: { sms: 'not-saved' },
    problem: 'Down for a moment',
  });
});

test('turned twice while the first is on its way, the last one is saved', async () => {
  const server = aServer();
  const { $switches, turn } = savedSwitches(bothOn, server.save);
  void turn('sms', false);
  const first = await server.next();
  const done = turn('sms', true);
  first.settle();
  (await server.next()).settle();
  await done;
  expect(server.asked).toEqual([
    ['sms', false],
    ['sms', true],
  ]);
  expect($switches.get()).toMatchObject({ values: bothOn, phases: { sms: 'saved' } });
});

test('a failure takes back its own switch alone', async () => {
  const server = aServer();
  const { $switches, turn } = savedSwitches(bothOn, server.save);
  void turn('email', false);
  const done = turn('sms', false);
  (await server.next()).refuse(new ApiError('No', 422));
  (await server.next()).settle();
  await done;
  expect($switches.get()).toMatchObject({
    values: { email: true, sms: false },
    phases: { email: 'not-saved', sms: 'saved' },
  });
});

test('what was turned elsewhere is taken over, and a switch on its way stays', async () => {
  const server = aServer();
  const { $switches, turn, follow } = savedSwitches(bothOn, server.save);
  const first = turn('email', false);
  (await server.next()).settle();
  await first;
  const done = turn('sms', false);
  follow({ email: true, sms: true });
  expect($switches.get()).toEqual({
    values: { email: true, sms: false },
    phases: { sms: 'saving' },
    problem: null,
  });
  (await server.next()).refuse(new ApiError('No', 422));
  await done;
  expect($switches.get()).toMatchObject({ values: bothOn, phases: { sms: 'not-saved' } });
});

test('why a turn was not saved is shown until the switch is turned so elsewhere', async () => {
  const server = aServer();
  const { $switches, turn, follow } = savedSwitches(bothOn, server.save);
  const done = turn('sms', false);
  (await server.next()).refuse(new ApiError('No', 422));
  await done;
  follow(bothOn);
  expect($switches.get().problem).toBe('No');
  follow({ email: true, sms: false });
  expect($switches.get()).toEqual({ values: { email: true, sms: false }, phases: {}, problem: null });
});
