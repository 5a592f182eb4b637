import type { Serve, Server } from 'bun';
import { type Config, ConfigError } from '#api/runtime/config/config.ts';

/** How long requests may go on after a stop, in milliseconds. */
const DRAIN = 10_000;
/** Seconds without a byte before Bun cuts an answer; live streams send a comment more often. */
const IDLE_TIMEOUT = 60;

type Listening = {
  server: Server<unknown> | null;
  listen(options: Partial<Serve.Options<unknown>>): unknown;
};

/** Lets an app listen. Throws ConfigError, one line, when the port is taken or may not be used. */
export function listen(
  app: Listening,
  { host, port }: Pick<Config, 'host' | 'port'>,
): { stop(): Promise<void> } {
  try {
    app.listen({
      hostname: host,
      port,
      idleTimeout: IDLE_TIMEOUT,
      // Elysia shares its port by default: a second Ute on it would get half of the requests unnoticed.
      reusePort: false,
      // Elysia's default shows stack traces outside production.
      development: false,
      // The edge refuses long bodies itself, with the envelope that Bun's own refusal lacks.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
  } catch (error) {
    throw portError(error, port);
  }
  return {
    async stop() {
      const { server } = app;
      if (!server) return;
      const force = setTimeout(() => server.stop(true), DRAIN);
      await server.stop();
      clearTimeout(force);
    },
  };
}

/** Throws what `listen` would of a port that is taken or not allowed: a start says so before it prepares anything. */
export function assertPortIsFree({ host, port }: Pick<Config, 'host' | 'port'>): void {
  try {
    tryPort(host, port);
  } catch (error) {
    throw portError(error, port);
  }
}

function tryPort(host: string, port: number): void {
  Bun.serve({ hostname: host, port, reusePort: false, fetch: () => new Response(null) }).stop(true);
}

function portError(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new ConfigError(`Port ${port} is in use: stop what uses it, or set PORT.`);
  if (code === 'EACCES')
    return new ConfigError(`Port ${port} may not be used by this user: set another PORT.`);
  return error;
}

/** Below what systems hand out when any port will do: no process is given one of these by chance before it is used. */
const LOWEST = 15_000;
const AMOUNT = 15_000;
/** After so many that are taken, something else is wrong. */
const MOST_TRIES = 100;

/** A port of this host that is free just now. Throws what the last try met where there is none. */
export function freePort(host: string): number {
  for (let tries = 1; ; tries += 1) {
    const port = LOWEST + Math.floor(Math.random() * AMOUNT);
    try {
      tryPort(host, port);
      return port;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
    }
  }
}
