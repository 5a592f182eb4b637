import {
  AccessDenied,
  AllStreamPosition,
  Empty,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  type StreamIdentifier,
  Timeout,
  UUID,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb.js';
import { Status } from '@eventstore/db-client/generated/status_pb.js';
import {
  type AppendReq,
  AppendResp,
  type BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import {
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type ServerErrorResponse,
  type StatusObject,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { Any } from 'google-protobuf/google/protobuf/any_pb.js';
import type { Appended, Expected, Faults, Proposed, ServerLog } from './server-log.ts';

/** The unary append: the options first, then the events, one message each. */
export function appendCall(log: ServerLog, faults: Faults): handleClientStreamingCall<AppendReq, AppendResp> {
  return (call, callback) => {
    const messages: AppendReq[] = [];
    call.on('data', (message: AppendReq) => messages.push(message));
    call.on('end', () => {
      const options = messages[0]?.getOptions();
      const events = messages.flatMap((message) => message.getProposedMessage() ?? []).map(toProposed);
      const stream = nameOf(options?.getStreamIdentifier());
      const expected: Expected = options?.hasRevision()
        ? Number(options.getRevision())
        : options?.hasNoStream()
          ? 'no-stream'
          : 'any';
      const apply = () => log.append(stream, expected, events);
      answer(faults, apply, (outcome) => callback(null, appendResponse(outcome, expected)), callback);
    });
  };
}

function answer(
  faults: Faults,
  apply: () => Appended,
  reply: (outcome: Appended) => void,
  callback: sendUnaryData<never>,
): void {
  const fault = faults.take('append');
  if (fault?.kind === 'silence' || fault?.kind === 'reject') {
    if (fault.applied) apply();
    if (fault.kind === 'reject') callback(fault.error as ServerErrorResponse, null);
    return;
  }
  const outcome = apply();
  if (fault?.kind === 'slow') setTimeout(() => reply(outcome), fault.ms);
  else reply(outcome);
}

function appendResponse(outcome: Appended, expected: Expected): AppendResp {
  const response = new AppendResp();
  if ('conflict' in outcome) {
    const wrong = new AppendResp.WrongExpectedVersion();
    if (outcome.conflict === null) wrong.setCurrentNoStream(new Empty());
    else wrong.setCurrentRevision(String(outcome.conflict));
    if (typeof expected === 'number') wrong.setExpectedRevision(String(expected));
    else wrong.setExpectedNoStream(new Empty());
    return response.setWrongExpectedVersion(wrong);
  }
  const position = new AppendResp.Position();
  position.setCommitPosition(String(outcome.position)).setPreparePosition(String(outcome.position));
  const success = new AppendResp.Success();
  return response.setSuccess(success.setCurrentRevision(String(outcome.revision)).setPosition(position));
}

export function toProposed(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): Proposed {
  const properties = message.getMetadataMap();
  return {
    id: message.getId()?.getString() ?? '',
    type: properties.get('type') ?? '',
    contentType: properties.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export function nameOf(identifier: StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

type Begun = { stream: StreamIdentifier | undefined; expected: Expected; events: Proposed[] };
type Code = Parameters<Status['setCode']>[0];

/**
 * Appends by correlation id, each answered by itself. As a real one: no append without options comes about, a message may
 * hold a part of it, and what the server cannot answer for (another leads, the user is unknown) ends the whole call.
 */
export function batchAppendCall(
  log: ServerLog,
  faults: Faults,
): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> {
  return (call) => {
    const begun = new Map<string, Begun>();
    const opening = faults.take('batch');
    if (opening?.kind === 'reject') return void call.emit('error', opening.error);
    if (opening?.kind === 'silence') return void call.on('data', () => {});
    // Its client is gone, or has cancelled: a real server ends the call too.
    call.on('error', () => {});
    call.on('end', () => call.end());
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId();
      const key = id?.getString() ?? '';
      const options = request.getOptions();
      if (options) begun.set(key, { ...addressOf(options), events: [] });
      const append = begun.get(key);
      if (!append) return;
      append.events.push(...request.getProposedMessagesList().map(toProposed));
      if (!request.getIsFinal()) return;
      begun.delete(key);
      finish(id, append);
    });

    function finish(id: UUID | undefined, { stream, expected, events }: Begun): void {
      const reply = (response: BatchAppendResp, answered = id) => {
        if (!call.cancelled) call.write(response.setCorrelationId(answered).setStreamIdentifier(stream));
      };
      const apply = () => log.append(nameOf(stream), expected, events);
      const fault = faults.take('append');
      if (fault?.kind === 'silence' || fault?.kind === 'reject') {
        if (fault.applied) apply();
        if (fault.kind === 'silence') return;
        const refusal = refusalOf(fault.error, stream);
        if (refusal?.getMessage() === 'Timeout')
          reply(new BatchAppendResp().setError(refusal), structured(id));
        else if (refusal) reply(new BatchAppendResp().setError(refusal));
        else call.emit('error', fault.error);
        return;
      }
      const outcome = apply();
      if (fault?.kind === 'slow') setTimeout(() => reply(responseOf(outcome, expected)), fault.ms);
      else reply(responseOf(outcome, expected));
    }
  };
}

/** The same id in the other form: a server writes it so in messages that it makes by itself. */
function structured(id: UUID | undefined): UUID {
  const hex = (id?.getString() ?? '').replaceAll('-', '');
  const [most, least] = [hex.slice(0, 16), hex.slice(16)].map((half) =>
    String(BigInt.asIntN(64, BigInt(`0x${half}`))),
  );
  const halves = new UUID.Structured();
  halves.setMostSignificantBits(most ?? '').setLeastSignificantBits(least ?? '');
  return new UUID().setStructured(halves);
}

function addressOf(options: BatchAppendReq.Options): Omit<Begun, 'events'> {
  const stream = options.getStreamIdentifier();
  if (options.hasStreamPosition()) return { stream, expected: Number(options.getStreamPosition()) };
  return { stream, expected: options.hasNoStream() ? 'no-stream' : 'any' };
}

function responseOf(outcome: Appended, expected: Expected): BatchAppendResp {
  if ('conflict' in outcome) {
    const wrong = new WrongExpectedVersion();
    if (outcome.conflict === null) wrong.setCurrentNoStream(new Empty() as never);
    else wrong.setCurrentStreamRevision(String(outcome.conflict));
    if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected));
    else wrong.setExpectedNoStream(new Empty() as never);
    const error = statusOf(status.ALREADY_EXISTS, 'WrongExpectedVersion', wrong.serializeBinary());
    return new BatchAppendResp().setError(error);
  }
  const position = new AllStreamPosition()
    .setCommitPosition(String(outcome.position))
    .setPreparePosition(String(outcome.position));
  const success = new BatchAppendResp.Success().setCurrentRevision(String(outcome.revision));
  return new BatchAppendResp().setSuccess(success.setPosition(position));
}

/** What a server says of one append and goes on; undefined for what ends the call. */
function refusalOf(
  { code, details = '', metadata }: Partial<StatusObject>,
  stream: StreamIdentifier | undefined,
): Status | undefined {
  switch (metadata?.get('exception')[0]) {
    case 'access-denied':
      return statusOf(status.PERMISSION_DENIED, 'AccessDenied', new AccessDenied().serializeBinary());
    case 'stream-deleted': {
      const deleted = new StreamDeleted().setStreamIdentifier(stream);
      return statusOf(status.NOT_FOUND, 'StreamDeleted', deleted.serializeBinary());
    }
    case 'maximum-append-size-exceeded': {
      const exceeded = new MaximumAppendSizeExceeded().setMaxappendsize(1_048_576);
      return statusOf(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', exceeded.serializeBinary());
    }
  }
  if (code === status.ABORTED)
    return statusOf(status.DEADLINE_EXCEEDED, 'Timeout', new Timeout().serializeBinary());
  if (code === status.RESOURCE_EXHAUSTED || details === 'Server Is Not Ready') {
    return statusOf(status.OK, details, new Uint8Array(), 'google.protobuf.Empty');
  }
  return undefined;
}

function statusOf(
  code: status,
  message: string,
  details: Uint8Array,
  type = `event_store.client.${message}`,
): Status {
  const any = new Any();
  any.pack(details, type);
  return new Status()
    .setCode(code as number as Code)
    .setMessage(message)
    .setDetails(any);
}
