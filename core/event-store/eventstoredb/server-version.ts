import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { Metadata, status } from '@grpc/grpc-js';
import { type Endpoint, readConnectionString } from './connection-string.ts';
import { channelCredentials } from './discovery.ts';
import { explain } from './failures.ts';

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
        else if (error) reject(explain(error));
        else resolve(features.getEventStoreServerVersion() || null);
      });
    });
  return Promise.any(settings.hosts.map(ask)).catch((error: AggregateError) => {
    throw error.errors[0];
  });
}
