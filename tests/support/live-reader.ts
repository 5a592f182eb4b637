export type LiveReader = Readonly<{
  /** Everything received so far. */
  text(): string;
  /** Resolves once the text has what was asked; rejects when the stream ends or `timeoutMs` is over. */
  until(wanted: string | RegExp, timeoutMs?: number): Promise<string>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  cancel(): Promise<void>;
}>;

/** Reads a server-sent stream as text. */
export function readLive(response: Response): LiveReader {
  if (!response.body) throw new Error('no stream');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const waiting = new Set<() => void>();
  let text = '';
  let over = false;
  const tell = () => {
    for (const check of waiting) check();
  };
  const ended = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += next.value;
      tell();
    }
  })().finally(() => {
    over = true;
    tell();
  });

  function until(wanted: string | RegExp, timeoutMs = 30_000): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = () => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text));
    const check = () => {
      if (done()) resolve(text);
      else if (over) reject(new Error(`the stream ended with: ${text}`));
    };
    const timer = setTimeout(() => reject(new Error(`not within ${timeoutMs} ms: ${text}`)), timeoutMs);
    waiting.add(check);
    check();
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(check);
    });
  }

  return { text: () => text, until, ended, cancel: () => reader.cancel() };
}
