import { query } from '#site/lib/http/query.ts';
import { endOtherSessions, endSessionOf, fetchSessions } from './security-api.ts';

/** Where the account is signed in, the newest first. */
export const sessionsQuery = query('sessions', fetchSessions);

/** Signs a session out and takes it from the list. @throws ApiError, unless it was over already. */
export async function signOut(id: string): Promise<void> {
  await endSessionOf(id);
  sessionsQuery.update((sessions) => sessions?.filter((session) => session.id !== id));
}

/** Signs every other session out. @throws ApiError */
export async function signOutOthers(): Promise<void> {
  await endOtherSessions();
  sessionsQuery.update((sessions) => sessions?.filter(({ current }) => current));
}
