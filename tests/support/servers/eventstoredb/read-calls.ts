import { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import { type ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { handleServerStreamingCall, ServerWritableStream } from '@grpc/grpc-js';
import { type Faults, rejections } from './faults.ts';
import type { LogEvent, ServerLog } from './server-log.ts';

type Call = ServerWritableStream<ReadReq, ReadResp>;

/** Reads of one stream or of the whole log, to the end or for ever. */
export function readCall(log: ServerLog, faults: Faults): handleServerStreamingCall<ReadReq, ReadResp> {
  return async (call) => {
    const options = call.request.getOptions();
    const wantsLeader = call.metadata.get('requires-leader')[0] === 'true';
    const fault = faults.take(options?.hasSubscription() ? 'subscribe' : 'read', wantsLeader);
    if (fault?.kind === 'silence' || !options) return;
    if (fault?.kind === 'reject') return void call.emit('error', fault.error);
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    const most = fault?.kind === 'end' ? fault.after : Number.POSITIVE_INFINITY;
    if (beginsNowhere(log, options)) return void call.emit('error', rejections.internal);
    if (options.hasSubscription()) return follow(call, options, log, most);
    const stream = options.getStream();
    if (stream && log.stream(nameOf(stream)).length === 0) {
      const missing = new ReadResp.StreamNotFound().setStreamIdentifier(stream.getStreamIdentifier());
      call.write(new ReadResp().setStreamNotFound(missing));
    } else {
      const found = stream ? inStream(log, stream, options) : inLog(log, options);
      for (const event of found.slice(0, Math.min(Number(options.getCount()), most))) {
        if (!(await send(call, toResponse(event)))) return;
      }
    }
    call.end();
  };
}

function inStream(
  log: ServerLog,
  range: ReadReq.Options.StreamOptions,
  options: ReadReq.Options,
): readonly LogEvent[] {
  const events = log.stream(nameOf(range));
  if (options.getReadDirection() === 0)
    return range.hasRevision() ? events.slice(Number(range.getRevision())) : events;
  return (range.hasRevision() ? events.slice(0, Number(range.getRevision()) + 1) : events).toReversed();
}

/** Forwards the event at the position itself is the first; backwards the one before it. */
function inLog(log: ServerLog, options: ReadReq.Options): readonly LogEvent[] {
  const place = options.getAll()?.getPosition();
  const position = place ? BigInt(place.getCommitPosition()) : null;
  if (options.getReadDirection() === 0) return log.all.slice(position === null ? 0 : firstAt(log, position));
  return log.all.slice(0, position === null ? log.all.length : firstAt(log, position)).toReversed();
}

/** A position in the whole log at which no record begins: a server fails what would be read from there. */
function beginsNowhere(log: ServerLog, options: ReadReq.Options): boolean {
  const place = options.getAll()?.getPosition();
  if (!place || options.getReadDirection() !== 0) return false;
  const position = BigInt(place.getCommitPosition());
  return log.all[firstAt(log, position)]?.position !== position;
}

/** A subscription after a position: what is there, the word that it has caught up, then what comes. */
async function follow(call: Call, options: ReadReq.Options, log: ServerLog, most: number): Promise<void> {
  const place = options.getAll()?.getPosition();
  const prefixes = options.getFilter()?.getStreamIdentifier()?.getPrefixList();
  let next = place ? firstAt(log, BigInt(place.getCommitPosition()) + 1n) : 0;
  let wake = () => {};
  const stop = log.onAppend(() => wake());
  call.on('cancelled', () => wake());
  try {
    const confirmation = new ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID());
    if (!(await send(call, new ReadResp().setConfirmation(confirmation)))) return;
    for (let sent = 0, live = false; !call.cancelled; ) {
      const event = log.all[next];
      if (event) {
        next += 1;
        if (prefixes && !prefixes.some((prefix) => event.stream.startsWith(prefix))) continue;
        if (!(await send(call, toResponse(event)))) return;
        sent += 1;
        if (sent >= most) return void call.end();
        continue;
      }
      if (!live && !(await send(call, new ReadResp().setCaughtUp(new ReadResp.CaughtUp())))) return;
      live = true;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (log.all.length > next || call.cancelled) resolve();
      });
    }
  } finally {
    stop();
  }
}

/** Waits while the client takes no more. False once it is gone. */
async function send(call: Call, response: ReadResp): Promise<boolean> {
  if (call.cancelled) return false;
  if (!call.write(response)) {
    await new Promise<void>((resolve) => {
      const go = () => {
        call.off('drain', go).off('cancelled', go);
        resolve();
      };
      call.on('drain', go).on('cancelled', go);
    });
  }
  return !call.cancelled;
}

function toResponse(event: LogEvent): ReadResp {
  const record = new ReadResp.ReadEvent.RecordedEvent();
  const position = String(event.position);
  record.setId(new UUID().setString(event.id));
  record.setStreamIdentifier(
    new StreamIdentifier().setStreamName(Buffer.from(event.stream).toString('base64')),
  );
  record.setStreamRevision(String(event.revision)).setCommitPosition(position).setPreparePosition(position);
  record.getMetadataMap().set('type', event.type).set('content-type', event.contentType);
  record.getMetadataMap().set('created', String(BigInt(event.created.getTime()) * 10_000n));
  record.setData(event.data).setCustomMetadata(event.metadata);
  return new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(record).setCommitPosition(position));
}

/** The place in the list of the first event at the position or behind it. */
function firstAt({ all }: ServerLog, position: bigint): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.position ?? 0n) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nameOf(range: ReadReq.Options.StreamOptions): string {
  return Buffer.from(range.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
}
