/** What became of one request. `status` 0: no answer. */
export type Sent = Readonly<{
  status: number;
  ms: number;
  at: number;
  reference: string | null;
  retryAfter: boolean;
}>;

type Answered = Readonly<{ status: number; headers: Headers }>;

export type SteadyLoad = Readonly<{
  /** All that was answered so far. */
  sent: readonly Sent[];
  /** Sends no more; resolves once everything has been answered. */
  stop(): Promise<readonly Sent[]>;
}>;

/** Sends `perSecond` requests, whether or not the earlier ones were answered, in turn one of each kind. */
export function steadyLoad(perSecond: number, kinds: readonly (() => Promise<Answered>)[]): SteadyLoad {
  const sent: Sent[] = [];
  const running = new Set<Promise<void>>();
  let count = 0;

  async function send(kind: () => Promise<Answered>): Promise<void> {
    const at = performance.now();
    const answer = await kind().catch(() => null);
    const reference = /ref=(\w+)/.exec(answer?.headers.get('location') ?? '')?.[1] ?? null;
    const retryAfter = answer?.headers.has('retry-after') ?? false;
    sent.push({ status: answer?.status ?? 0, ms: performance.now() - at, at, reference, retryAfter });
  }

  const timer = setInterval(() => {
    const kind = kinds[count % kinds.length];
    count += 1;
    if (!kind) return;
    const one = send(kind).finally(() => running.delete(one));
    running.add(one);
  }, 1_000 / perSecond);
  return {
    sent,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      return sent;
    },
  };
}
