import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { chainHash, macKeyOf, withMacs } from '#core/event-store/chain.ts';
import { encodeEvents, subjectOf } from '#core/event-store/codec.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import type { NewEvent } from '#core/event-store/port.ts';
import type { NewRawEvent } from '#core/event-store/raw-log.ts';
import { seal } from '#core/event-store/sealed.ts';
import { canonicalJson } from '#core/kernel/canonical-json.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { closedLoop } from '../closed-loop.ts';
import { type Figure, type Item, perSecond } from '../figure.ts';
import { inPairs } from '../pairs.ts';
import { database } from '../prepared.ts';
import { scratchDatabase } from '../scratch-database.ts';
import { median, ratioOf } from '../statistics.ts';
import { context, noteOn } from './append.ts';

const PAIRS = 9;
const SECONDS = 2;
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
  async measure(log): Promise<Figure[]> {
    const beside = await database('small');
    const scratch = await scratchDatabase(beside, 16);
    const { url: connectionString } = scratch;
    const pool = new Pool({ connectionString, max: 16 });
    pool.on('error', () => {});
    const embedded = openEmbeddedLog({ pool, connectionString });
    const key = randomBytes(32);
    const macKey = macKeyOf(randomBytes(32));
    const proven: Encode = (place, note) =>
      withMacs(macKey, encodeEvents(place, [note], context, new Map([[subjectOf(note.event) ?? '', key]])));
    const bare: Encode = (place, note) => [sealedAlone(place, note, key)];
    try {
      const measured: Figure[] = [];
      for (const clients of [1, 16]) {
        const run = (encode: Encode, seconds = SECONDS) =>
          closedLoop({ clients, seconds }, appending(embedded, clients, encode));
        await run(proven, 1);
        await run(bare, 1);
        const pairs = await inPairs(
          PAIRS,
          () => run(proven),
          () => run(bare),
        );
        log(`${clients}: ${pairs.map((pair) => pair.map(Math.round).join(' : ')).join('  ')}`);
        const ratio = ratioOf(pairs);
        measured.push({
          what: `append with its proof, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
          value: perSecond(median(pairs.map(([ours]) => ours))),
          control: perSecond(median(pairs.map(([, without]) => without))),
          ...{ ratio, budget: `≥ ${LEAST} of the same without`, met: ratio.median >= LEAST },
        });
      }
      return measured;
    } finally {
      await embedded.close();
      await pool.end();
      await scratch.close();
      await beside.close();
    }
  },
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
