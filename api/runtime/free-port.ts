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
      Bun.serve({ hostname: host, port, reusePort: false, fetch: () => new Response(null) }).stop(true);
      return port;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
    }
  }
}
