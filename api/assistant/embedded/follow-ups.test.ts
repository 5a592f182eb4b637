import { describe, expect, test } from 'vitest';
import type { Earlier } from '#api/assistant/assistant.ts';
import { understand } from './understand.ts';

/** Friday in Melbourne. */
const clock = {
  now: new Date('2026-11-19T22:30:00Z'),
  timeZone: 'Australia/Melbourne',
  region: 'au' as const,
};
const [first, second, third] = ['a', 'b', 'c'].map((end) => `0198c0de-0000-7000-8000-00000000000${end}`);
const asked = (question: string, ...jobs: (string | undefined)[]): Earlier => ({
  ...{ question, answer: 'Here.' },
  jobs: jobs.filter((id) => id !== undefined),
});
const having = (...earlier: readonly Earlier[]) => ({
  ask: (text: string) => understand(text, clock, earlier),
});

describe('after an answer about one job', () => {
  const { ask } = having(asked('find Aroha', first));
  const job = { ids: [first] };

  test.each<[string, object]>([
    ['accept it', { kind: 'change', change: { kind: 'accept' } }],
    ['OK, take that one please', { kind: 'change', change: { kind: 'accept' } }],
    ['reject that', { kind: 'change', change: { kind: 'reject' } }],
    ['knock it back', { kind: 'change', change: { kind: 'reject' } }],
    ['turn this one down', { kind: 'change', change: { kind: 'reject' } }],
    ['ok accept', { kind: 'change', change: { kind: 'accept' } }],
    ['reject', { kind: 'change', change: { kind: 'reject' } }],
    ['mark it paid', { kind: 'change', change: { kind: 'status', status: 'Paid' } }],
    ['mark as done', { kind: 'change', change: { kind: 'status', status: 'Completed' } }],
    ['mark it as done', { kind: 'change', change: { kind: 'status', status: 'Completed' } }],
    ['and set that job to quoted', { kind: 'change', change: { kind: 'status', status: 'Quoted' } }],
    ['and the phone?', { kind: 'contact' }],
    ['phone number?', { kind: 'contact' }],
    ["what's her number", { kind: 'contact' }],
    ['what is their email address?', { kind: 'contact' }],
    ['call them', { kind: 'contact' }],
    ['and the address?', { kind: 'address' }],
    ['what’s the address', { kind: 'address' }],
    ['open it', { kind: 'find' }],
    ['tell me about that one', { kind: 'find' }],
    ['when is it?', { kind: 'find' }],
    ['who’s that for', { kind: 'find' }],
    ['tell me more', { kind: 'find' }],
    ['is it urgent?', { kind: 'find' }],
    ['add a note to it: bring the ladder', { kind: 'note', note: 'bring the ladder' }],
    ['note: dog bites', { kind: 'note', note: 'dog bites' }],
  ])('%s is about it', (text, intent) => {
    expect(ask(text)).toMatchObject({ ...intent, job });
  });

  test('words that name another job mean that one', () => {
    expect(ask('accept the leaking tap job')).toMatchObject({ job: { words: 'leaking tap' } });
    expect(ask("what's Moana's number?")).toMatchObject({ job: { words: 'Moana' } });
    expect(ask('what about Moana')).toMatchObject({ kind: 'find', job: { words: 'Moana' } });
  });

  test('a question about a list or the product stays one', () => {
    expect(ask('any new jobs?')).toMatchObject({ kind: 'new' });
    expect(ask("what's my next job")).toMatchObject({ kind: 'next' });
    expect(ask("what's next")).toMatchObject({ kind: 'next' });
    expect(ask('what’s the link to my form')).toMatchObject({ kind: 'how', topic: 'form' });
  });
});

describe('after an answer about several', () => {
  const { ask } = having(asked('any new jobs?', first, second, third), asked('cheers'));

  test.each([
    ['accept the first one', [first]],
    ['open the 2nd', [second]],
    ['phone for the last one', [third]],
    ['accept the fifth', []],
    ['accept it', [first, second, third]],
  ])('%s', (text, ids) => {
    expect(ask(text)).toMatchObject({ job: { ids } });
  });
});

test('which one is meant is answered after what was asked of them', () => {
  const choose = (question: string) =>
    having(asked('any new jobs?', first, second), asked(question, first, second)).ask('the second one');
  expect(choose('accept it')).toEqual({ kind: 'change', change: { kind: 'accept' }, job: { ids: [second] } });
  expect(choose('and the phone?')).toEqual({ kind: 'contact', job: { ids: [second] } });
  expect(choose('any new jobs?')).toEqual({ kind: 'find', job: { ids: [second] } });
});

test('before any answer nothing was spoken of', () => {
  expect(having().ask('accept it')).toMatchObject({ kind: 'change', job: { ids: [] } });
  expect(having().ask('and the phone?')).toMatchObject({ kind: 'contact', job: { ids: [] } });
});

describe('another day', () => {
  const days = (from: string, to = from) => ({ period: { days: { from, to } } });

  test('is asked what was asked of the one before', () => {
    const booked = having(asked("what's on tomorrow?"));
    expect(booked.ask('what about Friday?')).toMatchObject({ kind: 'schedule', ...days('2026-11-20') });
    expect(booked.ask('and next week')).toMatchObject({
      ...{ kind: 'schedule', ...days('2026-11-23', '2026-11-29') },
    });
    expect(booked.ask('and in two days?')).toMatchObject({ kind: 'schedule', ...days('2026-11-22') });
    expect(booked.ask('what about Monday to Wednesday')).toMatchObject({
      ...{ kind: 'schedule', ...days('2026-11-23', '2026-11-25') },
    });
    const arvo = booked.ask('and in the arvo?');
    expect(arvo).toMatchObject({
      kind: 'schedule',
      period: { ...days('2026-11-21').period, part: 'afternoon' },
    });
    const quoted = having(asked('what did I quote last week?'), asked('thanks'));
    expect(quoted.ask('and this week?')).toMatchObject({
      ...{ kind: 'given-status', status: 'Quoted', ...days('2026-11-16', '2026-11-22') },
    });
    const twice = having(asked('what did I quote last week?'), asked('and this week?'));
    expect(twice.ask('what about last month')).toMatchObject({ kind: 'given-status', status: 'Quoted' });
  });

  test('is one to be booked on where nothing was asked', () => {
    const arvo = { period: { ...days('2026-11-20').period, part: 'afternoon' } };
    expect(having().ask('what about the arvo')).toMatchObject({ kind: 'schedule', ...arvo });
    expect(having().ask('what about Friday?')).toMatchObject({ kind: 'schedule', ...days('2026-11-20') });
    expect(having(asked('find Aroha', first)).ask('how about the 24th?')).toMatchObject(days('2026-11-24'));
  });
});

test.each(['yes', 'Yep please', 'do it', 'go ahead'])('%s points at the button', (text) => {
  expect(having(asked('accept the tap', first)).ask(text)).toEqual({ kind: 'press' });
});
