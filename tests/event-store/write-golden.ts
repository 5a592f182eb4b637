import { encodeEvents, subjectOf } from '#core/event-store/codec.ts';
import { versionsOf } from '#core/event-store/event-types.ts';
import { accountEvents } from '#core/event-store/schemas/account.ts';
import { businessEvents } from '#core/event-store/schemas/business.ts';
import { demoEvents } from '#core/event-store/schemas/demo.ts';
import { jobEvents } from '#core/event-store/schemas/job.ts';
import { registrationEvents } from '#core/event-store/schemas/registration.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { type Golden, goldenFile, goldenKey } from './golden.ts';
import { cause, eventId, samples } from './samples.ts';

// `bun tests/event-store/write-golden.ts` writes the golden file of every new version; those that exist stay as they are.

function streamOf(type: string): StreamName {
  if (Object.hasOwn(jobEvents, type)) return 'job-j1';
  if (Object.hasOwn(accountEvents, type)) return 'account-a1';
  if (Object.hasOwn(registrationEvents, type)) return 'registration-r1';
  if (Object.hasOwn(demoEvents, type)) return 'demo-d1';
  return Object.hasOwn(businessEvents, type) ? 'business-b1' : 'enquiryForm-b1';
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
