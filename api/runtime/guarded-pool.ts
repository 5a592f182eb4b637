import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { OutageError } from '#core/kernel/errors.ts';
import type { Breaker } from './breaker.ts';

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/** A pool that refuses at once while its database is known to be unavailable: no request queues for connections that do not come. */
export class GuardedPool extends Pool {
  readonly #breaker: Breaker;

  constructor(breaker: Breaker, options: PoolConfig) {
    super(options);
    this.#breaker = breaker;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    const connected = this.#breaker.isOpen()
      ? Promise.reject<PoolClient>(new OutageError('the database is unavailable'))
      : this.#connectNow();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  async #connectNow(): Promise<PoolClient> {
    try {
      return await super.connect();
    } catch (error) {
      this.#breaker.suspect();
      throw error;
    }
  }
}
