import { encodeEvents, subjectOf } from '#core/event-store/codec.ts';
import { eventTypes, versionsOf } from '#core/event-store/event-types.ts';
import { categories, type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { type Golden, goldenFile, goldenKey } from './golden.ts';
import { cause, eventId, samples } from './samples.ts';

// `bun tests/event-store/write-golden.ts` writes the golden file of every new version; those that exist stay as they are.

const ids = { job: 'j1', account: 'a1', registration: 'r1', demo: 'd1', business: 'b1', enquiryForm: 'b1' };

function streamOf(type: string): StreamName {
  const category = categories.find((known) => Object.hasOwn(eventTypes[known], type));
  if (!category) throw new Error(`${type} is not declared`);
  return streamName(category, ids[category]);
}

for (const event of Object.values(samples)) {
  const version = versionsOf(event.type)?.length ?? 0;
  const file = Bun.file(goldenFile(event.type, version));
  if (await file.exists()) continue;
  const stream = streamOf(event.type);
  const subject = subjectOf(event);
  const keys = new Map(subject === null ? [] : [[subject, goldenKey(subject)]]);
  const news = [{ id: eventId(stream, event.type), event }];
  const [stored] = encodeEvents({ stream, revision: -1, previous: null }, news, cause, keys);
  if (!stored) continue;
  const golden: Golden = { stored: { position: '1', stream, revision: 0, ...stored }, event };
  await file.write(`${JSON.stringify(golden, null, 2)}\n`);
  process.stdout.write(`${event.type}.v${version}.json\n`);
}
