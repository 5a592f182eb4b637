/** What `startUte(environment)` of `api/main.ts` answers once it listens. Its log goes to stderr: stdout is for scripts. */
export type Running = Readonly<{
  /** Where browsers reach the site. */
  url: string;
  /** Link to the demo business's public form; null when there is no demo business. */
  publicForm: string | null;
  demo: Readonly<{ email: string; password: string }> | null;
  /** Drains, closes, stops what was started; nothing of ours runs afterwards. */
  stop(): Promise<void>;
}>;
