import { Empty, type StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import {
  type AppendReq,
  AppendResp,
  type BatchAppendReq,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { handleClientStreamingCall, ServerErrorResponse, sendUnaryData } from '@grpc/grpc-js';
import type { Faults } from './faults.ts';
import type { Appended, Expected, Proposed, ServerLog } from './server-log.ts';

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
