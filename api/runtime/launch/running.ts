/** What `startUte(environment)` of `api/main.ts` answers once it listens. Its log goes to stderr: stdout is for scripts. */
export type Running = Readonly<{
  /** Where browsers reach the site. */
  url: string;
  /** False while it waits for its database or its log to answer; it goes on by itself then, and there is no demo to name. */
  isReady: boolean;
  /** Link to the demo business's public form; null when there is no demo business. */
  publicForm: string | null;
  demo: Readonly<{ email: string; password: string }> | null;
  /** The page that shows what the embedded mail and SMS took, or one line that says why there is none. */
  outbox: string;
  /** Drains, closes, stops what was started; nothing of ours runs afterwards. */
  stop(): Promise<void>;
}>;
