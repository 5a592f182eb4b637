import { randomUUID } from 'node:crypto';
import { convertToCommandError, InvalidArgumentError, StreamDeletedError } from '@eventstore/db-client';
import {
  Empty,
  StreamIdentifier,
  UUID,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb.js';
import { BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import {
  EventStoreUnavailableError,
  SilentServerError,
  UnstorableEventError,
} from '#core/event-store/errors.ts';
import type { ExpectedRevision, Position } from '#core/event-store/port.ts';
import type { NewRawEvent } from '#core/event-store/raw-log.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { EventStoreRefusedError } from './failures.ts';

/** Appends on the wire without an answer: this many at most, and this many bytes. Others wait for their turn. */
const WINDOW = { most: 256, heaviest: 4 * 1024 * 1024 } as const;
/** A server takes messages of 4 MiB at most; how large an append may be is its own setting. */
const LARGEST_MESSAGE = 1024 * 1024;

/** A call of `BatchAppend`: as many appends as there are, their answers in any order. */
export type BatchCall = Readonly<{
  write(request: BatchAppendReq): unknown;
  cancel(): void;
  on(event: 'data', listener: (response: BatchAppendResp) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}>;

/** What the server answered: where the last event stands (without a position where it tells none), or the actual end. */
export type Appended =
  | Readonly<{ revision: number; position: Position | null }>
  | Readonly<{ actual: ExpectedRevision }>;

export type Batches = Readonly<{
  /**
   * Sends one append with a correlation id of its own. Throws `SilentServerError` when no answer has come after `ms`
   * milliseconds, what the server answered, or what the call ended with: its outcome is then unknown.
   */
  append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewRawEvent[],
    ms: number,
  ): Promise<Appended>;
  /** Ends the call. What waits for an answer gets `error`. */
  close(error: Error): void;
}>;

type Pending = {
  readonly id: string;
  readonly requests: readonly BatchAppendReq[];
  readonly bytes: number;
  sentAt: number;
  resolve(outcome: Appended): void;
  reject(error: unknown): void;
};

/** Batched appends over one call at a time. It is opened for the first append, and again after it has ended. */
export function createBatches(open: () => Promise<BatchCall>): Batches {
  const waiting = new Set<Pending>();
  const sent = new Map<string, Pending>();
  let call: BatchCall | null = null;
  let isOpening = false;
  let bytesSent = 0;
  let heardAt = 0;

  function forget(pending: Pending): void {
    waiting.delete(pending);
    if (sent.delete(pending.id)) bytesSent -= pending.bytes;
  }

  function send(): void {
    if (!call) return void start();
    for (const pending of waiting) {
      const isFull =
        sent.size === WINDOW.most || (sent.size > 0 && bytesSent + pending.bytes > WINDOW.heaviest);
      if (isFull) return;
      waiting.delete(pending);
      sent.set(pending.id, pending);
      bytesSent += pending.bytes;
      pending.sentAt = performance.now();
      for (const request of pending.requests) call.write(request);
    }
  }

  async function start(): Promise<void> {
    if (isOpening || waiting.size === 0) return;
    isOpening = true;
    try {
      const opened = await open();
      opened.on('data', (response) => {
        if (opened === call) answer(response);
      });
      opened.on('end', () => end(opened, new EventStoreUnavailableError('the event store ended the call')));
      // Stays on after the end: an error without a listener would end the process.
      opened.on('error', (error) => end(opened, convertToCommandError(error)));
      call = opened;
    } catch (error) {
      for (const pending of [...waiting]) pending.reject(error);
    } finally {
      isOpening = false;
    }
    send();
  }

  function answer(response: BatchAppendResp): void {
    heardAt = performance.now();
    const pending = sent.get(textOf(response.getCorrelationId()));
    if (!pending) return;
    try {
      pending.resolve(outcomeOf(response));
    } catch (error) {
      pending.reject(error);
    }
    if (waiting.size > 0) send();
  }

  function end(ended: BatchCall, error: Error): void {
    if (ended !== call) return;
    call = null;
    for (const pending of [...sent.values()]) pending.reject(error);
    if (waiting.size > 0) send();
  }

  /** Of a call that has said nothing since, no other answer is to be expected either. */
  function giveUp(pending: Pending): void {
    const error = new SilentServerError('the event store does not answer');
    const silent = sent.has(pending.id) && heardAt < pending.sentAt ? call : null;
    pending.reject(error);
    if (!silent) return;
    end(silent, error);
    silent.cancel();
  }

  return {
    append: (stream, expected, events, ms) =>
      new Promise((resolve, reject) => {
        const id = randomUUID();
        const { requests, bytes } = toRequests(id, stream, expected, events);
        const settle =
          <T>(next: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer);
            forget(pending);
            next(value);
          };
        const pending: Pending = {
          id,
          requests,
          bytes,
          sentAt: 0,
          resolve: settle(resolve),
          reject: settle(reject),
        };
        const timer = setTimeout(() => giveUp(pending), ms);
        waiting.add(pending);
        send();
      }),
    close(error) {
      for (const pending of [...waiting]) pending.reject(error);
      const open = call;
      if (!open) return;
      end(open, error);
      open.cancel();
    },
  };
}

/**
 * An append as messages of the protocol. The deadline that they may carry is left out: the server compares that instant with
 * its own clock, so that two clocks a second apart would fail every append.
 */
function toRequests(
  id: string,
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly NewRawEvent[],
): { requests: BatchAppendReq[]; bytes: number } {
  const request = () => new BatchAppendReq().setCorrelationId(new UUID().setString(id));
  const options = new BatchAppendReq.Options().setStreamIdentifier(
    new StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8')),
  );
  if (expected === 'no-stream') options.setNoStream(new Empty());
  else options.setStreamPosition(String(expected));
  let last = request().setOptions(options);
  const requests = [last];
  let [bytes, size] = [0, 0];
  for (const event of events) {
    const { message, length } = toMessage(event);
    if (size > 0 && size + length > LARGEST_MESSAGE) {
      last = request();
      requests.push(last);
      size = 0;
    }
    last.addProposedMessages(message);
    size += length;
    bytes += length;
  }
  last.setIsFinal(true);
  return { requests, bytes };
}

function toMessage({ id, type, schema, at, data, metadata }: NewRawEvent) {
  const [body, meta] = [data, { schema, at, ...metadata }].map((part) =>
    Buffer.from(JSON.stringify(part), 'utf8'),
  );
  const message = new BatchAppendReq.ProposedMessage().setId(new UUID().setString(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(body as Buffer).setCustomMetadata(meta as Buffer);
  return { message, length: (body?.length ?? 0) + (meta?.length ?? 0) };
}

/** Throws why the server refused the append. */
function outcomeOf(response: BatchAppendResp): Appended {
  const success = response.getSuccess();
  if (success) {
    const position = success.getPosition()?.getCommitPosition();
    return { revision: Number(success.getCurrentRevision()), position: position ?? null };
  }
  const details = response.getError()?.getDetails();
  const said = response.getError()?.getMessage() ?? '';
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion': {
      const wrong = WrongExpectedVersion.deserializeBinary(details.getValue_asU8());
      const hasStream = wrong.hasCurrentStreamRevision();
      return { actual: hasStream ? Number(wrong.getCurrentStreamRevision()) : 'no-stream' };
    }
    case 'event_store.client.AccessDenied':
      throw new EventStoreRefusedError('the event store refuses the credentials');
    case 'event_store.client.MaximumAppendSizeExceeded':
      throw new UnstorableEventError('the append is larger than the event store allows');
    case 'event_store.client.StreamDeleted':
      throw StreamDeletedError.fromStreamName(nameOf(response.getStreamIdentifier()));
    case 'event_store.client.BadRequest':
      throw new InvalidArgumentError(`the event store calls an append malformed: ${said}`);
    default:
      // Timeout, Unknown, not ready, busy, internal: whether the append happened, or will, is open.
      throw new EventStoreUnavailableError(`the event store failed an append: ${said}`);
  }
}

function nameOf(stream: StreamIdentifier | undefined): string {
  return Buffer.from(stream?.getStreamName_asU8() ?? []).toString('utf8');
}

/** The server writes an id as it came, or as two numbers of 64 bits where it made the message by itself. */
function textOf(id: UUID | undefined): string {
  const halves = id?.getStructured();
  if (!halves) return id?.getString() ?? '';
  const hex = [halves.getMostSignificantBits(), halves.getLeastSignificantBits()]
    .map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
