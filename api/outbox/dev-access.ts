import { localNames } from '#api/http/asked-locally.ts';
import type { Config } from '#api/runtime/config/config.ts';

/**
 * Why the outbox is closed to everybody, in one line; null where it is open to this machine. Its messages hold links and
 * codes that open accounts, so it is there only where no other machine reaches the process.
 */
export function outboxClosed({ host, publicOrigin }: Pick<Config, 'host' | 'publicOrigin'>): string | null {
  if (!/^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host))
    return `The outbox is closed: HOST is ${host}, and it opens only where Ute listens on 127.0.0.1`;
  if (!localNames.includes(new URL(publicOrigin).hostname))
    return `The outbox is closed: PUBLIC_ORIGIN is ${publicOrigin}, which is not this machine`;
  return null;
}
