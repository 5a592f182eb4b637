import { BACKWARDS, END, jsonEvent, StreamNotFoundError } from '@eventstore/db-client';
import { createConnection, defaultTimeouts, type ServerConnection } from './connection.ts';

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
