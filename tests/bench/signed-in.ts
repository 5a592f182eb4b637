import { createHttpClient, type HttpClient } from './http-client.ts';
import type { SignIn } from './prepared.ts';

export type SignedIn = Readonly<{
  /** Resolves once the answer is whole. Rejects on any status but 200. */
  get(path: string): Promise<unknown>;
  put(path: string, body: object): Promise<{ head: string }>;
  token: string;
  close(): void;
}>;

const json = { 'content-type': 'application/json' };

/** Signs in as a tradie does, and keeps the token. */
export async function signIn(url: string, { email, password }: SignIn): Promise<SignedIn> {
  const answer = await fetch(`${url}/api/authenticate/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email, password }),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (!token) throw new Error(`the login answered ${answer.status}`);
  const client = createHttpClient(url);
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, br' };
  return {
    token,
    get: (path) => ask(client, 'GET', path, headers),
    put: (path, body) => ask(client, 'PUT', path, { ...headers, ...json }, JSON.stringify(body)),
    close: () => client.close(),
  };
}

async function ask(client: HttpClient, ...[method, path, ...rest]: Parameters<HttpClient['request']>) {
  const answer = await client.request(method, path, ...rest);
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}`);
  return answer;
}
