import { randomBytes } from 'node:crypto';
import { codeSecret } from '#api/accounts/contact/change-contact.ts';
import { beginContactChange, expectSecret } from '#api/accounts/contact/contact-changes.ts';
import { keepConfirmation } from '#api/accounts/email-confirmation.ts';
import { loadAccount } from '#api/accounts/load-account.ts';
import { makeResetToken } from '#api/accounts/passwords/reset-tokens.ts';
import { mintExportToken } from '#api/privacy/export/downloads.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { payloadOf, solve } from '#tests/support/app/api-client.ts';
import { freshEmail, freshPhone } from '#tests/support/scenarios/registrations.ts';
import { bearer, type Recipe, UNKNOWN, type World } from './world.ts';

const secret = () => randomBytes(32).toString('base64url');
const passwords = new WeakMap<World['app'], string>();
const passwordOf = (world: World) => passwords.get(world.app) ?? world.acme.password;
const newPassword = (world: World) => `Kumara-harvest-${world.next()}`;

/** A change of contact that waits for its secret. */
async function waitingChange(
  { app: { deps } }: World,
  { accountId }: SignedIn,
  change: Readonly<{ kind: 'email' | 'mobile'; value: string; secret: (changeId: string) => string }>,
): Promise<void> {
  const changeId = deps.newId();
  const expiresAt = new Date(deps.now().getTime() + 600_000);
  const { kind, value } = change;
  await beginContactChange(
    deps.db,
    deps.config.keys,
    { changeId, accountId, kind, value, expiresAt },
    deps.now(),
  );
  await expectSecret(deps.db, changeId, change.secret(changeId));
}

/** The token of a link to a download, as its owner's session gets it. */
async function exportToken({ app: { deps } }: World, { accountId, token }: SignedIn): Promise<string> {
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return mintExportToken(deps, { id: jti, accountId });
}

let lastAsked = 0;

/** A link that sets a password anew, asked for later than the one before: of two of the same millisecond the second is none. */
async function resetToken({ app: { deps } }: World, { accountId }: SignedIn): Promise<string> {
  const token = secret();
  lastAsked = Math.max(lastAsked + 1, deps.now().getTime());
  await makeResetToken(deps.db, { accountId, token, askedAt: new Date(lastAsked) }, deps.now());
  return token;
}

/** Which password acme has now. */
const keepPassword: Recipe['after'] = (world, { json }, { status }) => {
  if (status === 200) passwords.set(world.app, String(json?.['newPassword']));
};

export const accountRecipes = {
  'POST /api/authenticate/login': {
    access: 'open',
    call: async (world) => {
      const { email, password } = await spareOwner(world);
      return { json: { email, password, rememberMe: true } };
    },
  },
  'GET /api/authenticate': { access: 'session', call: () => ({}) },
  'POST /api/authenticate/logout': {
    access: 'session',
    call: async (world) => ({ headers: bearer((await world.session(world.acme)).token) }),
  },
  'GET /api/authenticate/sessions': { access: 'session', call: () => ({}) },
  'DELETE /api/authenticate/sessions': { access: 'session', call: () => ({}) },
  'DELETE /api/authenticate/sessions/:id': {
    access: 'session',
    names: 'owned',
    call: async (world) => ({ params: { id: (await world.session(world.acme)).id } }),
    foreign: async (world) => {
      const { id } = await world.session(world.rival);
      return { params: { id }, foreignId: id };
    },
  },
  'GET /api/settings/closing': { access: 'session', call: () => ({}) },
  'POST /api/settings/closing': {
    access: 'session',
    // A business of its own: the public page of one that is to be closed is offline.
    call: async (world) => {
      const owner = await spareOwner(world, 'closing');
      const { token } = await world.session(owner);
      return { headers: bearer(token), json: { currentPassword: owner.password } };
    },
  },
  'DELETE /api/settings/closing': { access: 'session', call: () => ({}) },
  'POST /api/settings/export': {
    access: 'session',
    call: (world) => ({ json: { currentPassword: passwordOf(world) } }),
  },
  'GET /api/settings/export/:token': {
    access: 'open',
    names: 'secret',
    streams: true,
    call: async (world) => ({ params: { token: await exportToken(world, world.acme) } }),
  },
  'POST /api/authenticate/forgot-password': {
    access: 'open',
    call: ({ acme: { email } }) => ({ json: { email } }),
  },
  'POST /api/authenticate/reset-password': {
    access: 'open',
    call: async (world) => {
      const owner = await spareOwner(world, 'reset');
      const password = newPassword(world);
      return {
        json: { token: await resetToken(world, owner), newPassword: password, confirmPassword: password },
      };
    },
  },
  'POST /api/authenticate/reset-password/check': {
    access: 'open',
    call: async (world) => {
      const owner = await spareOwner(world, 'reset');
      return { json: { token: await resetToken(world, owner) } };
    },
  },
  'PUT /api/authenticate/security': {
    access: 'session',
    call: (world) => ({ json: { currentPassword: passwordOf(world), newPassword: newPassword(world) } }),
    after: keepPassword,
  },
  'PUT /api/authenticate/email': {
    access: 'session',
    call: (world) => ({ json: { email: freshEmail(), currentPassword: passwordOf(world) } }),
  },
  'DELETE /api/authenticate/email': { access: 'session', call: () => ({}) },
  'DELETE /api/authenticate/phone': { access: 'session', call: () => ({}) },
  'POST /api/authenticate/email/confirm': {
    access: 'open',
    call: async (world) => {
      const token = secret();
      await waitingChange(world, world.acme, { kind: 'email', value: freshEmail(), secret: () => token });
      return { json: { token } };
    },
  },
  'POST /api/authenticate/email/confirmation': { access: 'session', call: () => ({}) },
  'POST /welcome/:token': {
    access: 'open',
    names: 'secret',
    call: async ({ app, acme }) => {
      const token = secret();
      const { account } = await loadAccount(app.deps, acme.accountId);
      await keepConfirmation(app.deps, token, account);
      return { params: { token }, form: {} };
    },
  },
  'POST /api/authenticate/phone/code': {
    access: 'session',
    call: async (world) => {
      await waitingChange(world, world.acme, { kind: 'mobile', value: freshPhone(), secret });
      return {};
    },
  },
  'POST /api/authenticate/phone/confirm': {
    access: 'session',
    call: async (world) => {
      const code = String(100_000 + (world.next() % 900_000));
      const hashed = (changeId: string) => codeSecret(world.app.deps.config, changeId, code);
      await waitingChange(world, world.acme, { kind: 'mobile', value: freshPhone(), secret: hashed });
      return { json: { code } };
    },
  },
  'PUT /api/registration/account': {
    access: 'session',
    call: (world) => ({ json: { firstName: 'Dave', lastName: `Citizen ${letters(world.next())}` } }),
  },
  'GET /api/settings/contact': { access: 'session', call: () => ({}) },
  'PUT /api/settings/contact': {
    access: 'session',
    call: (world) => ({ json: { showEmail: world.next() % 2 === 0, showPhone: true } }),
  },
  'GET /api/authenticate/chatbot': { access: 'session', call: () => ({}) },
  'POST /api/chatbot/messages': {
    access: 'other',
    call: async (world) => ({
      headers: bearer(await world.chatToken(world.acme)),
      json: { message: 'What is on today?', earlier: [] },
    }),
    foreign: async (world) => {
      const foreignId = await world.pendingJob(world.rival);
      const earlier = [{ question: 'Show it', answer: 'Here', jobs: [foreignId] }];
      return {
        foreignId,
        headers: bearer(await world.chatToken(world.acme)),
        json: { message: 'Accept it', earlier },
      };
    },
  },
  'GET /api/bot-check/challenge': { access: 'open', call: () => ({ query: { scope: 'public-form' } }) },
  'POST /api/bot-check/verify': {
    access: 'open',
    call: async ({ app }) => {
      const { challenge } = (await app.get('/api/bot-check/challenge?scope=demo')).body;
      return { json: { scope: 'demo', payload: payloadOf(challenge, await solve(challenge)) } };
    },
  },
  'POST /api/client-errors': {
    access: 'open',
    call: () => ({ json: { ref: UNKNOWN, route: '/jobs/all', stackHash: '0123456789abcdef' } }),
  },
} as const satisfies Record<string, Recipe>;

const spare = new WeakMap<World, Map<string, Promise<SignedIn>>>();
/** An owner whose password and sessions nothing else depends on. */
function spareOwner(world: World, purpose = 'login'): Promise<SignedIn> {
  const owners = spare.get(world) ?? new Map<string, Promise<SignedIn>>();
  spare.set(world, owners);
  const owner = owners.get(purpose) ?? world.app.signIn();
  owners.set(purpose, owner);
  return owner;
}

/** A number as letters: names hold no digits. */
function letters(count: number): string {
  return String(count).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
}
