import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve as resolvePath } from 'node:path';
import { checkServerIdentity, connect, createSecureContext } from 'node:tls';
import { CallCredentials, Channel, ChannelCredentials } from '@grpc/grpc-js';
import type { ConnectionSettings, Endpoint } from './connection-string.ts';

type Connector = ReturnType<ChannelCredentials['_createSecureConnector']>;

/** Events of 16 MB can be in the log: as the client itself has it. */
const LARGEST_MESSAGE = 17 * 1024 * 1024;

/** To one server. Connects at the first call. */
export function openChannel(
  endpoint: Endpoint,
  credentials: ChannelCredentials,
  { options }: Pick<ConnectionSettings, 'options'>,
): Channel {
  const ms = (name: string) => (Number(options[name]) < 0 ? Number.MAX_VALUE : Number(options[name]));
  return new Channel(endpoint, credentials, {
    'grpc.keepalive_time_ms': ms('keepAliveInterval'),
    'grpc.keepalive_timeout_ms': ms('keepAliveTimeout'),
    'grpc.max_receive_message_length': LARGEST_MESSAGE,
  });
}

/** By `tls`, `tlsCAFile`, `userCertFile` and `userKeyFile`. Throws where a file cannot be read or is no certificate. */
export function channelCredentials(options: ConnectionSettings['options']): ChannelCredentials {
  if (options['tls'] === 'false') return ChannelCredentials.createInsecure();
  const { tlsCAFile, userCertFile, userKeyFile } = options;
  return new HostCredentials([tlsCAFile, userCertFile, userKeyFile].join('\n'), {
    ...(tlsCAFile !== undefined && { ca: read(tlsCAFile) }),
    ...(userCertFile !== undefined && { cert: read(userCertFile) }),
    ...(userKeyFile !== undefined && { key: read(userKeyFile) }),
  });
}

function read(file: string): Buffer {
  return readFileSync(resolvePath(file));
}

/**
 * TLS to a server that may be named by its address: an address is no TLS server name, and Bun refuses it as one, as gRPC
 * gives it. The certificate is checked by the same host either way.
 */
class HostCredentials extends ChannelCredentials {
  readonly #files: string;
  readonly #context: ReturnType<typeof createSecureContext>;

  constructor(files: string, pems: Parameters<typeof createSecureContext>[0]) {
    super();
    this.#files = files;
    this.#context = createSecureContext(pems);
  }

  override _isSecure(): boolean {
    return true;
  }

  /** Channels share a connection where it was made the same way. */
  override _equals(other: ChannelCredentials): boolean {
    return other instanceof HostCredentials && other.#files === this.#files;
  }

  override _createSecureConnector(
    target: Parameters<ChannelCredentials['_createSecureConnector']>[0],
    _options: unknown,
    callCredentials = CallCredentials.createEmpty(),
  ): Connector {
    const host = target.path.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    const context = this.#context;
    return {
      connect: (socket) =>
        new Promise((resolve, reject) => {
          const secured = connect(
            {
              ...{ socket, host, secureContext: context, checkServerIdentity, ALPNProtocols: ['h2'] },
              ...(isIP(host) === 0 && { servername: host }),
            },
            () => {
              if (secured.authorized) resolve({ socket: secured, secure: true });
              else reject(named(secured.authorizationError));
            },
          );
          secured.on('error', (error) => reject(named(error)));
          secured.once('close', () => reject(new Error('TLS failed: Socket closed')));
        }),
      waitForReady: async () => {},
      getCallCredentials: () => callCredentials,
      destroy() {},
    };
  }
}

/** gRPC keeps the text of an error alone: the code stands in it. */
function named(error: Error): Error {
  return new Error(`TLS failed: ${'code' in error ? error.code : error.name}`, { cause: error });
}
