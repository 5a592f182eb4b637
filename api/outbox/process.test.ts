import { expect, test } from 'vitest';
import { unopenedAfter } from '#api/intake/answers/messages.ts';
import { undoTime } from '#api/intake/messages.ts';
import { messageKinds } from '#api/rooms.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import {
  aJob,
  at,
  brunswick,
  record,
  registration,
  type StreamEvent,
} from '#tests/support/scenarios/events.ts';
import { newsAge, reactionsTo } from './process.ts';

const happened = Date.parse(at);
const soon = new Date(happened + 1_000);
const job = aJob('j1', brunswick);

/** What follows from the last of these events: kind, and how many milliseconds after it. */
function followsFrom(streamEvents: readonly StreamEvent[], now = soon, changes: Partial<RecordedEvent> = {}) {
  const last = record(streamEvents).at(-1) as RecordedEvent;
  const reactions = reactionsTo(messageKinds, { ...last, ...changes }, now);
  return Object.fromEntries(
    reactions.map(({ kind, wantedAt }) => [kind, wantedAt.getTime() - now.getTime()]),
  );
}

test('a request alerts the tradie and is confirmed to the customer, and alerts again while it is unopened', () => {
  expect(followsFrom([job.requested()])).toEqual({
    ...{ 'new-job-mail': 0, 'new-job-sms': 0, 'request-receipt': 0 },
    'unopened-job-sms': unopenedAfter - 1_000,
  });
});

test('a work order alerts the tradie alone', () => {
  expect(Object.keys(followsFrom([job.workOrder()]))).toEqual([
    ...['new-job-mail', 'new-job-sms', 'unopened-job-sms'],
  ]);
});

test('an answer is sent when it can be undone no more', () => {
  expect(followsFrom([job.requested(), job.accepted()])).toEqual({ 'request-accepted': undoTime - 1_000 });
  expect(followsFrom([job.requested(), job.rejected()])).toEqual({ 'request-declined': undoTime - 1_000 });
});

test('that a job is no longer needed is sent at once', () => {
  expect(followsFrom([job.requested(), job.notNeeded()])).toEqual({
    ...{ 'no-longer-needed-mail': 0, 'no-longer-needed-sms': 0 },
  });
});

test('a demo is sent to sales and confirmed to the prospect, by its id alone', () => {
  const data = {
    demoId: 'd1',
    name: 'Aroha Tāwhiri',
    businessName: 'Tāwhiri Plumbing',
    phone: '+64215550123',
    email: 'aroha@tawhiri.example',
    reachTime: 'lunch',
    requestedAt: at,
  } as const;
  const streamEvent: StreamEvent = { stream: 'demo-d1', event: { type: 'DemoRequested', data } };
  const reactions = reactionsTo(messageKinds, record([streamEvent])[0] as RecordedEvent, soon);
  expect(reactions.map(({ kind }) => kind)).toEqual(['demo-request', 'demo-confirmation']);
  for (const { businessId, jobId, data: about } of reactions) {
    expect({ businessId, jobId, about }).toEqual({
      ...{ businessId: null, jobId: null, about: { revision: 0, demoId: 'd1' } },
    });
  }
});

test('most of what happens leads to no message', () => {
  const quiet = [job.added(), job.noted('x'), job.opened(), job.moved('Paid'), ...registration(brunswick)];
  for (const streamEvent of quiet) expect(followsFrom([streamEvent])).toEqual({});
});

test.each(['seed', 'import'])('nothing follows from what %s brought along', (actor) => {
  const [last] = record([job.requested()]);
  const metadata = { ...(last as RecordedEvent).metadata, actor };
  expect(followsFrom([job.requested()], soon, { metadata })).toEqual({});
});

test('nothing follows from what is older than a day, or cannot be read', () => {
  const after = (ms: number) => new Date(happened + ms);
  expect(Object.keys(followsFrom([job.requested()], after(newsAge)))).toHaveLength(4);
  expect(followsFrom([job.requested()], after(newsAge + 1))).toEqual({});
  const [last] = record([job.requested()]);
  const { event: _, ...unreadable } = last as RecordedEvent;
  expect(reactionsTo(messageKinds, unreadable, soon)).toEqual([]);
});

test('what comes late is wanted now, not in the past', () => {
  const late = new Date(happened + 60 * 60_000);
  expect(Object.values(followsFrom([job.requested()], late))).toEqual([0, 0, 0, 0]);
});

test('the same event and kind make the same message, and no other does', () => {
  const [request, acceptance] = record([job.requested(), job.accepted()]) as [RecordedEvent, RecordedEvent];
  const ids = (event: RecordedEvent, now: Date) => reactionsTo(messageKinds, event, now).map(({ id }) => id);
  expect(ids(request, soon)).toEqual(ids(request, new Date(soon.getTime() + 60_000)));
  expect(new Set([...ids(request, soon), ...ids(acceptance, soon)]).size).toBe(5);
});

test('a message names a job and a revision, nothing that a person wrote', () => {
  const [reaction] = reactionsTo(messageKinds, record([job.requested()])[0] as RecordedEvent, soon);
  expect(reaction).toMatchObject({ jobId: 'j1', businessId: brunswick.businessId, data: { revision: 0 } });
  expect(JSON.stringify(reaction)).not.toMatch(/Matiu|matiu|Lygon|mixer/);
});
