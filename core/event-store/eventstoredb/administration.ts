import { BACKWARDS, END, jsonEvent, StreamNotFoundError } from '@eventstore/db-client';
import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { Metadata, status } from '@grpc/grpc-js';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { channelCredentials } from './channel.ts';
import { createConnection, defaultTimeouts, type ServerConnection } from './connection.ts';
import { type Endpoint, readConnectionString } from './connection-string.ts';
import { explain } from './failures.ts';
import { naming } from './unreached.ts';

/** How Ute stands to a server's version: decision 047. */
export type ServerSupport = 'supported' | 'too old' | 'untested';

/** `23.10.6.0` and the like are of the line that is supported. */
export function supportOf(version: string): ServerSupport {
  const [, year = '0', month = '0'] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  const line = Number(year) * 100 + Number(month);
  if (line === 23_10) return 'supported';
  return line > 0 && line < 23_10 ? 'too old' : 'untested';
}

/**
 * The version that a server of this address gives, the first that answers within `ms`; null where it gives none. Throws RangeError
 * for no address, `EventStoreUnavailableError` or what the call ended with where no server answers.
 */
export async function readServerVersion(url: string, ms: number): Promise<string | null> {
  const settings = readConnectionString(url);
  const metadata = new Metadata();
  const { username, password } = settings.credentials ?? {};
  if (username !== undefined) metadata.set('authorization', `Basic ${btoa(`${username}:${password}`)}`);
  const ask = (endpoint: Endpoint) =>
    new Promise<string | null>((resolve, reject) => {
      const client = new ServerFeaturesClient(endpoint, channelCredentials(settings.options), {
        'grpc.use_local_subchannel_pool': 1,
      });
      client.getSupportedMethods(new Empty(), metadata, { deadline: Date.now() + ms }, (error, features) => {
        client.close();
        if (error?.code === status.UNIMPLEMENTED) resolve(null);
        else if (error) reject(failureOf(error, endpoint));
        else resolve(features.getEventStoreServerVersion() || null);
      });
    });
  return Promise.any(settings.hosts.map(ask)).catch((error: AggregateError) => {
    throw error.errors[0];
  });
}

function failureOf(error: unknown, endpoint: Endpoint): unknown {
  const explained = explain(error);
  return explained instanceof EventStoreUnavailableError ? naming(explained, endpoint) : explained;
}

/** For all streams of a kind: who reads and writes them, deletes them, and reads and writes their metadata. */
type Acl = Readonly<Record<'$r' | '$w' | '$d' | '$mr' | '$mw', string | readonly string[]>>;

/** An operator is waiting, once. */
const MS = 10_000;
const ADMINS = '$admins';

/**
 * Lets one user read the whole log and add to it, and only administrators delete a stream, truncate it or change who may
 * do what. The same again writes nothing.
 * @param adminUrl `esdb://…` of an administrator
 */
export async function restrictAccess(adminUrl: string, user: string): Promise<void> {
  const connection = createConnection(adminUrl, { ...defaultTimeouts, request: MS });
  const both = [ADMINS, user];
  const userStreams: Acl = { $r: both, $w: both, $d: ADMINS, $mr: both, $mw: ADMINS };
  const systemStreams: Acl = { $r: ADMINS, $w: ADMINS, $d: ADMINS, $mr: ADMINS, $mw: ADMINS };
  const defaults = { $userStreamAcl: userStreams, $systemStreamAcl: systemStreams };
  const wholeLog = { $acl: { ...systemStreams, $r: both } };
  try {
    await ensureLast(connection.exchange, '$settings', 'update-default-acl', defaults);
    // The metadata of `$all`, which holds for the log as a whole.
    await ensureLast(connection.exchange, '$$$all', '$metadata', wholeLog);
  } finally {
    await connection.close();
  }
}

/** Appends to a stream unless its last event says the same. */
async function ensureLast(
  exchange: <T>(work: (server: ServerConnection) => Promise<T>) => Promise<T>,
  stream: string,
  type: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const last = await exchange((server) => readLast(server, stream));
  if (last !== undefined && Bun.deepEquals(last, data)) return;
  const event = jsonEvent({ type, data });
  await exchange(({ client, options }) => client.appendToStream(stream, event, options));
}

async function readLast({ client, options }: ServerConnection, stream: string): Promise<unknown> {
  const how = { ...options, direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
  let last: unknown;
  try {
    // Read to its end: a read that is left early keeps its call open.
    for await (const { event } of client.readStream(stream, how)) last = event?.data;
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return last;
}
