import { encodeEvents, subjectOf } from '#core/event-store/codec.ts';
import { eventTypes, type KnownEvent, versionsOf } from '#core/event-store/event-types.ts';
import { checkStorable } from '#core/event-store/storable.ts';
import { categories, type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { type Golden, goldenFile, goldenKey } from './golden.ts';
import { cause, eventId } from './samples.ts';

// `bun tests/event-store/write-golden.ts '{"type": …, "data": …}'` writes the golden file of a type's newest version, from an
// event of it with every field filled. A file that exists stays as it is.

const event: KnownEvent = JSON.parse(process.argv[2] ?? '');
const file = Bun.file(goldenFile(event.type, versionsOf(event.type)?.length ?? 0));
if (await file.exists()) throw new Error(`${file.name} exists and never changes`);
const stream = streamOf(event.type);
const news = [{ id: eventId(stream, event.type), event }];
checkStorable(news);
const subject = subjectOf(event);
const keys = new Map(subject === null ? [] : [[subject, goldenKey(subject)]]);
for (const stored of encodeEvents({ stream, revision: -1, previous: null }, news, cause, keys)) {
  const golden: Golden = { stored: { position: '1', stream, revision: 0, ...stored }, event };
  await file.write(`${JSON.stringify(golden, null, 2)}\n`);
}
process.stdout.write(`${file.name}\n`);

function streamOf(type: string): StreamName {
  const own = { job: 'j1', account: 'a1', registration: 'r1', demo: 'd1', erasure: 'e1' };
  const ids = { ...own, business: 'b1', enquiryForm: 'b1' };
  const category = categories.find((known) => Object.hasOwn(eventTypes[known], type));
  if (!category) throw new Error(`${type} is not declared`);
  return streamName(category, ids[category]);
}
