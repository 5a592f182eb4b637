import { credentialOf } from '#api/accounts/credentials.ts';
import { openSession } from '#api/accounts/sessions.ts';
import { createApp } from '#api/app.ts';
import { mintChatbotToken } from '#api/assistant/chatbot-tokens.ts';
import type { PageRenderer } from '#api/deps.ts';
import { createTokens } from '#api/http/auth.ts';
import { storeMedia } from '#api/intake/media.ts';
import { deliverDue } from '#api/outbox/sender.ts';
import { type SignedIn, type TestApp, type TestAppOptions, testApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import { checkAnswers } from '#tests/support/app/described-answers.ts';
import { testDelivery } from '#tests/support/app/messages.ts';
import { bytesOf } from '#tests/support/scenarios/files.ts';
import { aWorkOrder } from '#tests/support/scenarios/job-requests.ts';

export const SERVICE_KEY = 'service-key-of-the-tests-0';
/** In everything that the rival has: jobs, questions, files, its own name. */
export const RIVAL_MARKER = 'Marker of the rival';
export const METRICS_TOKEN = 'metrics-token-of-the-tests-0';

/** An app with two businesses: `acme` sends what is tried, `rival` has what acme must never see. */
export type World = Readonly<{
  app: TestApp;
  acme: SignedIn;
  rival: SignedIn;
  /** What is tried: the app, with what sends messages awake. */
  handle(request: Request): Promise<Response>;
  /** Different for each call. */
  next(): number;
  /** A session of an owner besides the one that signed in; answers its id and bearer token. */
  session(owner: SignedIn): Promise<{ id: string; token: string }>;
  chatToken(owner: SignedIn): Promise<string>;
  /** A job that waits to be accepted; answers its id. */
  pendingJob(owner: SignedIn, overrides?: Parameters<typeof aWorkOrder>[1]): Promise<string>;
  /** A file that a customer sent; answers its id. */
  media(owner: SignedIn): Promise<string>;
}>;

const marked = { title: RIVAL_MARKER, name: RIVAL_MARKER, description: RIVAL_MARKER };

/** Stands where Astro is: pages are not what is tried here. A page of the outbox is there for what it is given. */
const pages: PageRenderer = async ({ url }, { status = 200, locals = {} }) => {
  const isMissing = new URL(url).pathname.startsWith('/dev/') && Object.keys(locals).length === 0;
  const headers = { 'content-type': 'text/html' };
  return new Response('<p>page</p>', { status: isMissing ? 404 : status, headers });
};

/** `options` of the app, on top of what the operations need. */
export async function openWorld({ env, ...options }: TestAppOptions = {}): Promise<World> {
  const app = await testApp({
    ...options,
    pages,
    env: { ...env, SERVICE_KEY, METRICS_TOKEN, SALES_EMAIL: 'sales@ute.example' },
  });
  const acme = await app.signIn({ plan: 'plus' });
  const rival = await app.signIn({ plan: 'plus', tradingName: RIVAL_MARKER, intro: RIVAL_MARKER });
  const delivery = testDelivery(app);
  const served = checkAnswers(
    createApp({ ...app.deps, messages: { notify: () => void deliverDue(delivery) } }),
  );
  const tokens = createTokens(app.deps);
  let count = 0;
  const next = () => (count += 1);

  async function session({ accountId, businessId }: SignedIn) {
    const credential = await credentialOf(app.deps.db, accountId);
    if (!credential) throw new Error('the owner has no password');
    const opening = {
      accountId,
      businessId,
      remember: true,
      device: 'Firefox',
      passwordSetAt: credential.setAt,
    };
    const opened = await openSession(app.deps.db, opening, app.deps.now());
    if (!opened) throw new Error('the password was changed meanwhile');
    return { id: opened.id, token: await tokens.sign({ accountId, sessionId: opened.id }, opened.expiresAt) };
  }

  return {
    ...{ app, acme, rival, next, session },
    handle: async (request) => served.handle(request),
    async chatToken(owner) {
      const { accountId, businessId } = owner;
      const { id } = await session(owner);
      return mintChatbotToken(app.deps, { accountId, businessId, id });
    },
    async pendingJob(owner, overrides = owner === rival ? marked : {}) {
      const headers = { authorization: `Bearer ${SERVICE_KEY}`, 'idempotency-key': crypto.randomUUID() };
      const { status, body } = await app.post('/api/work-orders', aWorkOrder(owner.slug, overrides), headers);
      if (status !== 200) throw new Error(`the work order answered ${status}`);
      await app.settle();
      return body.id;
    },
    async media({ businessId }) {
      const name = businessId === rival.businessId ? `${RIVAL_MARKER}.pdf` : 'plan.pdf';
      const bytes = bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(200), `${next()}\n%%EOF\n`);
      return (await storeMedia(app.deps, { businessId, bytes, name })).id;
    },
  };
}

/** A request of one operation, before anything of it is spoiled. */
export type Call = Readonly<{
  /** By the names in the template; each is one part of the path. */
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** At most one of these three is the body. */
  json?: Readonly<Record<string, unknown>>;
  form?: Readonly<Record<string, string>>;
  bytes?: Uint8Array<ArrayBuffer>;
  /** In what `foreign` answers: the id in it that is the rival's. */
  foreignId?: string;
}>;

/** How one operation is called, and what opens it. */
export type Recipe = Readonly<{
  /** `session`: a bearer token, 403 without. `other`: another proof, such as a registration's secret. `open`: nothing. */
  access: 'session' | 'other' | 'open';
  /** A request that is accepted; secrets, tickets and jobs that it uses up are made for it. */
  call(world: World): Call | Promise<Call>;
  /** What its parameters name: things of a business, secrets that are their own proof, or what is open to all. */
  names?: 'owned' | 'secret' | 'public';
  /** The same request for what belongs to the rival: `owned` and `secret` operations, and ids in bodies. */
  foreign?(world: World): Call | Promise<Call>;
  /** Saves what came along although it answers 409. */
  savesOnConflict?: true;
  /** Never ends its answer: only the head is read. */
  streams?: true;
  /** After an answer, for what the next call must know. */
  after?(world: World, call: Call, answer: Answer): void;
}>;

export const UNKNOWN = '0198c0de-0000-7000-8000-000000000000';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
