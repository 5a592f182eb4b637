import { afterAll, beforeAll, describe } from 'vitest';
import { appending } from './contract/appending.ts';
import { crowding } from './contract/crowding.ts';
import { reading } from './contract/reading.ts';
import { refusing } from './contract/refusing.ts';
import type { Seed, Subject } from './contract/subject.ts';
import { subscribing } from './contract/subscribing.ts';
import { cause, notes } from './samples.ts';

/** What every event store must do, whatever is underneath. Registers the tests. */
export function eventStoreContract(name: string, open: () => Promise<Subject>): void {
  describe(`${name}: the event store contract`, () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject?.close());

    const store = () => subject.store;
    const seed: Seed = (stream, amount) => {
      const events = Array.from({ length: amount }, (_, n) => notes(stream, n));
      return store().append(stream, 'no-stream', events, cause);
    };

    appending(store, seed);
    reading(store, seed);
    refusing(store);
    subscribing(() => subject, seed);
    crowding(store);
  });
}
