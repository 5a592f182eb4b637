import { randomBytes } from 'node:crypto';
import { chainHash, macKeyOf, withMacs } from '#core/event-store/chain.ts';
import { encodeEvents, subjectOf } from '#core/event-store/codec.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import type { NewEvent } from '#core/event-store/port.ts';
import type { NewRawEvent } from '#core/event-store/raw-log.ts';
import { seal } from '#core/event-store/sealed.ts';
import { canonicalJson } from '#core/kernel/canonical-json.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import type { Figure, Item } from '../figure.ts';
import { compare, context, noteOn, onScratchDatabase } from './append.ts';

const LEAST = 0.97;

/** What an append stores after the event at `revision`, whose hash is `previous`. */
type Encode = (
  place: Readonly<{ stream: StreamName; revision: number; previous: string | null }>,
  note: NewEvent,
) => NewRawEvent[];

/** Appends as the product makes them, against the same without commitments to personal fields and without codes. */
export const appendProof: Item = {
  name: 'append-proof',
  about: 'appends with commitments and codes against the same without, 1 and 16 clients',
  measure: (log) =>
    onScratchDatabase(async (scratch, pool) => {
      const embedded = openEmbeddedLog({ pool, connectionString: scratch.url });
      const key = randomBytes(32);
      const macKey = macKeyOf(randomBytes(32));
      const proven: Encode = (place, note) =>
        withMacs(macKey, encodeEvents(place, [note], context, new Map([[subjectOf(note.event) ?? '', key]])));
      const bare: Encode = (place, note) => [sealedAlone(place, note, key)];
      try {
        const measured: Figure[] = [];
        for (const clients of [1, 16]) {
          const budget = `≥ ${LEAST} of the same without`;
          const goal = { what: 'append with its proof', clients, least: LEAST, budget, pairs: 9 };
          const subject = appending(embedded, clients, proven);
          const control = appending(embedded, clients, bare);
          measured.push(await compare(goal, { subject, control }, log));
        }
        return measured;
      } finally {
        await embedded.close();
      }
    }),
};

/** Each client appends notes to a stream of its own, one at a time. */
function appending({ append }: ReturnType<typeof openEmbeddedLog>, clients: number, encode: Encode) {
  const streams = Array.from({ length: clients }, () => {
    const jobId = crypto.randomUUID();
    const end = { revision: -1, previous: null as string | null };
    return { jobId, stream: streamName('job', jobId), end };
  });
  return async (client: number) => {
    const at = streams[client];
    if (!at) throw new RangeError('no such client');
    const { stream, jobId, end } = at;
    const events = encode({ stream, ...end }, noteOn(jobId));
    const { revision } = await append(stream, end.revision < 0 ? 'no-stream' : end.revision, events);
    at.end = { revision, previous: events.at(-1)?.metadata.hash ?? null };
  };
}

/** The same event sealed and chained alone: what `encodeEvents` did before commitments, and no code. */
function sealedAlone(
  { stream, revision, previous }: Parameters<Encode>[0],
  { id, event }: NewEvent,
  key: Buffer,
): NewRawEvent {
  const { notes, ...plain } = event.data as Record<string, string>;
  const { iv, ct, tag } = seal(
    key,
    Buffer.from(canonicalJson({ notes: notes ?? '' }), 'utf8'),
    `${stream}/${id}`,
  );
  const personal = {
    kid: subjectOf(event) ?? '',
    ...{ iv: iv.toString('base64'), ct: ct.toString('base64'), tag: tag.toString('base64') },
  };
  const { at, ...cause } = context;
  const stored = {
    id,
    type: event.type,
    schema: 1,
    at: new Date(at).toISOString(),
    data: { ...plain, personal },
  };
  const hash = chainHash(previous, { ...stored, stream, revision: revision + 1, metadata: cause });
  return { ...stored, metadata: { ...cause, hash } };
}
