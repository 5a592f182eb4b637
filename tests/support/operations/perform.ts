import { type Answer, apiClient } from '#tests/support/app/api-client.ts';
import { bearer, type Call, type Recipe } from './recipe.ts';
import { recipes } from './recipes.ts';
import type { Operation } from './route-inventory.ts';
import type { World } from './two-businesses.ts';

/** What is sent instead of what the call says. */
export type Spoiled = Readonly<{
  /** The bearer token; null sends none. Without it, acme's where the operation needs a session. */
  token?: string | null;
  /** Leaves out every header that proves something. */
  withoutProof?: boolean;
  headers?: Readonly<Record<string, string>>;
  body?: BodyInit;
  /** Added to the path as it is. */
  search?: string;
}>;

const proofs = ['authorization', 'x-rid', 'x-bot-check'];

/** Sends a call of an operation; of an endless answer only the head is read. */
export async function perform(
  world: World,
  operation: Operation,
  call: Call,
  spoiled: Spoiled = {},
): Promise<Answer> {
  const [method = '', template = ''] = operation.split(' ');
  const recipe: Recipe = recipes[operation];
  const { body = bodyOf(call) } = spoiled;
  const signedIn = recipe.access === 'session' ? bearer(world.acme.token) : {};
  const proven: Record<string, string> = { ...signedIn, ...call.headers };
  const given = spoiled.withoutProof ? without(proven, proofs) : proven;
  const token = spoiled.token ? bearer(spoiled.token) : {};
  const headers = {
    ...{ ...typeOf(call), ...(spoiled.token === null ? without(given, ['authorization']) : given), ...token },
    ...spoiled.headers,
  };
  const path = pathOf(template, call) + (spoiled.search ?? '');
  const client = apiClient(recipe.streams ? headOnly(world) : world);
  return client.send(method, path, { headers, ...(body === undefined ? {} : { body }) });
}

/** A call with another id in the place of the rival's. */
export function withId(call: Call, id: string): Call {
  const { foreignId, bytes, ...rest } = call;
  if (foreignId === undefined) throw new Error('the call names nothing of the rival');
  return JSON.parse(JSON.stringify(rest).replaceAll(foreignId, id));
}

function headOnly(world: World) {
  return {
    handle: async (request: Request) => {
      const answer = await world.handle(request);
      if (answer.status !== 200) return answer;
      await answer.body?.cancel();
      return new Response(null, answer);
    },
  };
}

function without(headers: Readonly<Record<string, string>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

function pathOf(template: string, { params = {}, query = {} }: Call): string {
  const path = template.replace(/:([a-z]+)/gi, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${template}: no ${name}`);
    return value;
  });
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

function bodyOf({ json, form, bytes }: Call): BodyInit | undefined {
  if (json) return JSON.stringify(json);
  return form ? new URLSearchParams(form).toString() : bytes;
}

function typeOf({ json, form, bytes }: Call): Record<string, string> {
  if (json) return { 'content-type': 'application/json' };
  if (form) return { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  return bytes ? { 'content-type': 'application/octet-stream' } : {};
}
