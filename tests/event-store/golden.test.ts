import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { accountDecider } from '#core/account/decider.ts';
import { businessDecider } from '#core/business/decider.ts';
import { demoDecider } from '#core/demo/decider.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { erasureDecider } from '#core/erasure/decider.ts';
import { verifyChain } from '#core/event-store/chain.ts';
import { decodeEvent } from '#core/event-store/codec.ts';
import { eventTypes, versionsOf } from '#core/event-store/event-types.ts';
import { openCommitment, subjectsOf } from '#core/event-store/personal-fields.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';
import type { SubjectKey } from '#core/event-store/subject-keys.ts';
import { jobDecider } from '#core/job/job.ts';
import { parseStreamName } from '#core/kernel/stream-name.ts';
import { registrationDecider } from '#core/registration/decider.ts';
import { type Golden, goldenFolder, goldenKey } from './golden.ts';

const deciders: Record<string, { evolve: unknown; initialState: unknown }> = {
  job: jobDecider,
  account: accountDecider,
  business: businessDecider,
  enquiryForm: enquiryFormDecider,
  registration: registrationDecider,
  demo: demoDecider,
  erasure: erasureDecider,
};

const files = (await readdir(goldenFolder)).toSorted();
const goldens = await Promise.all(
  files.map(async (name) => [name, (await Bun.file(new URL(name, goldenFolder)).json()) as Golden] as const),
);

function keysOf(stored: RawEvent, key: (subject: string) => SubjectKey): Map<string, SubjectKey> {
  return new Map(subjectsOf([stored]).map((subject) => [subject, key(subject)]));
}

function foldOne(stored: RawEvent, event: unknown): unknown {
  const decider = deciders[parseStreamName(stored.stream).category];
  const evolve = decider?.evolve as (state: unknown, event: unknown) => unknown;
  return evolve(decider?.initialState, event);
}

test('every version of every type has a golden file, and every file has its version', () => {
  const types = Object.values(eventTypes).flatMap((declared) => Object.keys(declared));
  const versions = types.flatMap((type) =>
    (versionsOf(type) ?? []).map((_, index) => `${type}.v${index + 1}.json`),
  );
  expect(files).toEqual(versions.toSorted());
});

describe.each(goldens)('%s', (name, { stored, event }) => {
  test('is named after what it holds', () => {
    expect(name).toBe(`${stored.type}.v${stored.schema}.json`);
  });

  test('reads as the newest version, and folds', () => {
    const read = decodeEvent(stored, keysOf(stored, goldenKey));
    expect(read.unreadable).toBeUndefined();
    expect(read.event).toEqual(event);
    foldOne(stored, read.event);
  });

  test('reads and folds after its person was erased', () => {
    const read = decodeEvent(
      stored,
      keysOf(stored, () => 'destroyed'),
    );
    expect(read.unreadable).toBeUndefined();
    foldOne(stored, read.event);
  });

  test('still fits its commitment', () => {
    const { personal } = stored.data as { personal?: { com?: string } };
    const { kind } = openCommitment(stored, keysOf(stored, goldenKey));
    expect(kind).toBe(personal?.com === undefined ? 'none' : 'fits');
  });

  test('still fits its hash', async () => {
    expect(await verifyChain([stored])).toEqual({ checked: 1, broken: null });
  });
});
