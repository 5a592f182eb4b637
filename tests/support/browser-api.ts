import { expect, type Page } from '@playwright/test';
import { type Profile, sessionUser } from '#site/lib/profile.ts';
import { type Session, sessionKey } from '#site/lib/session/session-storage.ts';

type Login = Readonly<{ email: string; password: string }>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Asks the API as one account, at a path below `/api`. Fails the test on any answer but 'ok'. */
export type AskApi = <T = unknown>(method: Method, path: string, data?: unknown) => Promise<T>;

/**
 * Logs an account in through the API and leaves its session in the page's browser, stored as 'Keep me signed in' stores
 * it. No page is loaded: whatever opens next is signed in.
 */
export async function logInByApi(page: Page, { email, password }: Login): Promise<AskApi> {
  const login = await asker(page)<{ token: string; user: Profile }>('POST', '/authenticate/login', {
    ...{ email, password, rememberMe: true },
  });
  const session: Session = { token: login.token, rememberMe: true, user: sessionUser(login.user) };
  const { origin } = new URL(process.env.UTE_URL ?? '');
  const localStorage = [{ name: sessionKey, value: JSON.stringify(session) }];
  await page.context().setStorageState({ cookies: [], origins: [{ origin, localStorage }] });
  return asker(page, login.token);
}

function asker(page: Page, token?: string): AskApi {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  return async (method, path, data) => {
    const options = data === undefined ? { method, headers } : { method, headers, data };
    const answer = await page.request.fetch(`/api${path}`, options);
    expect(answer.ok(), `${method} ${path} answers ${answer.status()}`).toBe(true);
    return answer.json();
  };
}
