import { type EnvironmentReader, text } from './environment-reader.ts';

/** Who answers in the chat. `url` is the endpoint's down to its version, without a slash at the end. */
export type AssistantSettings =
  | Readonly<{ provider: 'embedded' }>
  | Readonly<{ provider: 'model'; url: string; model: string; key: string | null }>;

/**
 * Reads `ASSISTANT_URL`, an endpoint that speaks OpenAI's chat completions, with `ASSISTANT_MODEL` and, where it asks for
 * one, `ASSISTANT_KEY`. Without an endpoint the embedded assistant answers.
 */
export function readAssistantSettings(read: EnvironmentReader): AssistantSettings {
  const url = read.optional('ASSISTANT_URL', endpoint);
  const model = read.optional('ASSISTANT_MODEL', text(/^[\w./:@-]{1,200}$/, 'the name of a model'));
  const key = read.optional('ASSISTANT_KEY', text(/^[\x21-\x7e]{4,500}$/, 'a key without spaces'));
  if (read.raw('ASSISTANT_URL') === undefined) return { provider: 'embedded' };
  if (read.raw('ASSISTANT_MODEL') === undefined) read.problem('ASSISTANT_MODEL', 'is missing');
  return { provider: 'model', url: url ?? '', model: model ?? '', key: key ?? null };
}

/** Without a user, a password or a query: those would go into errors and logs of others. */
function endpoint(raw: string): string {
  const url = URL.parse(raw);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || /[?#]/.test(raw)) throw new RangeError('an address such as https://models.example.com/v1');
  return url.href.replace(/\/+$/, '');
}
