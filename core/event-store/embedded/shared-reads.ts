import type { RawLog } from '../raw-log.ts';
import type { WakeUp } from './wake-up.ts';

/**
 * `readAll` for subscribers: those who stand at the same place read a page once. They are all woken by the same append,
 * and what one of them began to read before a hint is not handed to whoever has heard it.
 */
export function shareReads(
  readAll: RawLog['readAll'],
  { generation }: Pick<WakeUp, 'generation'>,
): RawLog['readAll'] {
  const running = new Map<string, ReturnType<RawLog['readAll']>>();
  return (after, limit) => {
    const key = `${generation()}/${after}/${limit}`;
    const page = running.get(key) ?? readAll(after, limit).finally(() => running.delete(key));
    running.set(key, page);
    return page;
  };
}
