/** Every answer says how it went: `'ok'` with what was asked, else `'error'` with a message for the person. */
export type Ok<Payload extends object = object> = { status: 'ok' } & Payload;

export type Failure = {
  status: 'error';
  message: string;
  /** What the log calls this answer. */
  ref: string;
  /** Path of a field → what is wrong with it, for bad input. */
  fields?: Readonly<Record<string, string>>;
};

export function ok(): Ok;
export function ok<Payload extends object>(payload: Payload): Ok<Payload>;
export function ok(payload: object = {}): Ok {
  return { status: 'ok', ...payload };
}
