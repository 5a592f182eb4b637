import { type } from 'arktype';
import { Elysia } from 'elysia';
import { createLogin } from '#api/accounts/login.ts';
import { userOf } from '#api/accounts/profile.ts';
import { deviceOf, listSessions, revokeSession, revokeSessions } from '#api/accounts/sessions.ts';
import type { Deps } from '#api/deps.ts';
import { notFound, ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, turnOf } from '#api/http/request-context.ts';

/** Longer than any password may be: such a text is refused unread. */
const Login = type({
  '+': 'reject',
  email: 'string <= 1000',
  password: 'string <= 1000',
  'rememberMe?': 'boolean',
});
/** What the id of a session looks like; any other text is an id that never was. */
const SESSION_ID = /^[A-Za-z0-9_-]{20,100}$/;

/**
 * POST /authenticate/login → { user, token } · GET /authenticate → { user } · POST /authenticate/logout ·
 * GET /authenticate/sessions → { sessions } · DELETE /authenticate/sessions (all others) · DELETE …/sessions/{id}
 */
export function authenticateRoutes(deps: Deps) {
  const login = createLogin(deps);
  return new Elysia({ name: 'authenticate', prefix: '/authenticate' })
    .use(auth(deps))
    .post(
      '/login',
      async ({ body, request }) =>
        ok(
          await login(body, {
            ...{ address: contextOf(request).ip, device: deviceOf(request.headers) },
            ...{ ticket: request.headers.get('x-bot-check'), turn: turnOf(deps, request) },
          }),
        ),
      {
        body: Login,
        detail: operation('Sessions', 'logIn', 'Logs in with email and password', {
          access: 'open',
          headers: ['x-bot-check'],
          statuses: [401],
          conflicts: false,
        }),
      },
    )
    .get('', async ({ session }) => ok({ user: await userOf(deps, session.accountId) }), {
      signedIn: true,
      detail: operation('Sessions', 'getSession', 'The account and business of the session'),
    })
    .post(
      '/logout',
      async ({ session, set }) => {
        await revokeSession(deps.db, { sessionId: session.id, accountId: session.accountId }, deps.now());
        // Not its storage: the page removes what is its account's, and what waits of others on the same phone stays.
        set.headers['clear-site-data'] = '"cache"';
        return ok();
      },
      {
        signedIn: true,
        detail: operation('Sessions', 'logOut', 'Ends the session of the bearer token', { conflicts: false }),
      },
    )
    .get(
      '/sessions',
      async ({ session }) => {
        const sessions = await listSessions(deps.db, session.accountId, deps.now());
        return ok({ sessions: sessions.map((open) => ({ ...open, current: open.id === session.id })) });
      },
      {
        signedIn: true,
        detail: operation('Sessions', 'listSessions', 'The sessions of the account'),
      },
    )
    .delete(
      '/sessions',
      async ({ session }) =>
        ok({ ended: await revokeSessions(deps.db, session.accountId, deps.now(), session.id) }),
      {
        signedIn: true,
        detail: operation('Sessions', 'endOtherSessions', 'Ends every other session of the account', {
          conflicts: false,
        }),
      },
    )
    .delete(
      '/sessions/:id',
      async ({ session, params }) => {
        const ended = { sessionId: params.id, accountId: session.accountId };
        const isOne = SESSION_ID.test(params.id);
        if (!isOne || !(await revokeSession(deps.db, ended, deps.now()))) throw notFound();
        return ok();
      },
      {
        signedIn: true,
        detail: operation('Sessions', 'endSession', 'Ends one session of the account', { conflicts: false }),
      },
    );
}
