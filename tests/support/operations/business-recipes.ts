import { unsubscribeToken } from '#api/announcements/unsubscribe.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { sentMail } from '#tests/support/app/messages.ts';
import { bytesOf, dataUrl, png } from '#tests/support/scenarios/files.ts';
import { aJobRequest, aTicket } from '#tests/support/scenarios/job-requests.ts';
import { bearer, type Call, METRICS_TOKEN, type Recipe, RIVAL_MARKER, type World } from './world.ts';

type Question = Readonly<{ id: string; enabled: boolean; necessary: boolean }>;

/** A question that its business may turn on and off. */
async function aQuestion(owner: SignedIn): Promise<Question> {
  const { form } = (await owner.get('/api/form')).body;
  const questions: Question[] = form.questions ?? form.trades.flatMap((trade: any) => trade.questions);
  const question = questions.find(({ necessary }) => !necessary);
  if (!question) throw new Error('the form has no question that may be turned off');
  return question;
}

/** A question of its own that a business added. */
async function ownQuestion(owner: SignedIn, count: number): Promise<string> {
  const { body } = await owner.post('/api/form', {
    trade: 'plumbing',
    question: `${RIVAL_MARKER} ${count}?`,
    seq: 1,
  });
  return body.question.id;
}

/** A question that the business added, one from before where there is one: a form has room for so many. */
async function someOwnQuestion(owner: SignedIn, count: number): Promise<string> {
  const { form } = (await owner.get('/api/form')).body;
  const own = form.questions.find(({ tradie }: { tradie: string | null }) => tradie !== null);
  if (own) return own.id;
  const added = await owner.post('/api/form', {
    ...{ trade: 'plumbing', question: `Whose key is it, ${count}?`, seq: 1 },
  });
  return added.body.question.id;
}

const tick = ({ id, enabled }: Question): Call => ({ json: { questions: [{ id, enabled: !enabled }] } });

const slugOf = (owner: SignedIn) => ({ params: { slug: owner.slug } });
const pdf = (count: number) => bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(300), `${count}\n%%EOF\n`);

const logos = new WeakMap<World, Promise<string>>();
/** The key of acme's logo. */
function logoKey(world: World): Promise<string> {
  const known =
    logos.get(world) ??
    world.acme
      .put('/api/settings/branding', { logo: dataUrl(png(60, 40)) })
      .then(({ body }) => String(body.details.logo).replace('/logos/', ''));
  logos.set(world, known);
  return known;
}

const ofOutbox = () =>
  ({
    access: 'open',
    names: 'public',
    call: async (world: World) => ({ params: { id: await aMessage(world) } }),
  }) as const satisfies Recipe;

/** A mail that the embedded outbox took. */
async function aMessage({ app, acme }: World): Promise<string> {
  const newest = async () => (await app.get('/dev/outbox/messages.json')).body.messages;
  const known = await newest();
  if (known.length > 0) return mailIn(known);
  await app.post('/api/authenticate/forgot-password', { email: acme.email });
  await sentMail(app, acme.email);
  return mailIn(await newest());
}

function mailIn(messages: readonly { id: string; channel: string }[]): string {
  const mail = messages.find(({ channel }) => channel === 'mail');
  if (!mail) throw new Error('the outbox took no mail');
  return mail.id;
}

export const businessRecipes = {
  'GET /api/form': { access: 'session', call: () => ({}) },
  'PUT /api/form': {
    access: 'session',
    call: async ({ acme }) => tick(await aQuestion(acme)),
    foreign: async ({ rival, next }) => {
      const foreignId = await ownQuestion(rival, next());
      return { foreignId, json: { questions: [{ id: foreignId, enabled: false }] } };
    },
  },
  'POST /api/form': {
    access: 'session',
    call: ({ next }) => ({ json: { trade: 'plumbing', question: `Which storey is it, ${next()}?`, seq: 1 } }),
  },
  'PUT /api/form/questions/:id': {
    access: 'session',
    names: 'owned',
    call: async ({ acme, next }) => ({
      params: { id: await someOwnQuestion(acme, next()) },
      json: { question: `Which storey is it on, ${next()}?` },
    }),
    foreign: async ({ rival, next }) => {
      const foreignId = await ownQuestion(rival, next());
      return { foreignId, params: { id: foreignId }, json: { question: 'Whose is it?' } };
    },
  },
  'DELETE /api/form/questions/:id': {
    access: 'session',
    names: 'owned',
    call: async ({ acme, next }) => ({ params: { id: await someOwnQuestion(acme, next()) } }),
    foreign: async ({ rival, next }) => {
      const foreignId = await ownQuestion(rival, next());
      return { foreignId, params: { id: foreignId } };
    },
  },
  'GET /api/settings/trades': { access: 'session', call: () => ({}) },
  'PUT /api/settings/trades': {
    access: 'session',
    call: ({ next }) => ({ json: { trades: next() % 2 ? ['plumbing', 'drainage'] : ['plumbing'] } }),
  },
  'GET /api/settings/area': { access: 'session', call: () => ({}) },
  'PUT /api/settings/area': {
    access: 'session',
    call: ({ next }) => ({ json: { lat: -37.8, lng: 144.9, radius: 1_000 * (1 + (next() % 90)) } }),
  },
  'PUT /api/settings/time-zone': {
    access: 'session',
    call: ({ next }) => ({
      json: { timeZone: next() % 2 ? 'Australia/Sydney' : 'Australia/Melbourne' },
    }),
  },
  'PUT /api/settings/branding': {
    access: 'session',
    call: ({ next }) => ({ json: { theme: next() % 2 ? '#6B8FE4' : '#5C9B61' } }),
  },
  'GET /api/settings/branding/slug': { access: 'session', call: () => ({ query: { q: 'fresh-paint' } }) },
  'PUT /api/settings/intro': {
    access: 'session',
    call: ({ next }) => ({ json: { intro: `Blocked drains and hot water, ${next()} years of it.` } }),
  },
  'PUT /api/settings/profile': {
    access: 'session',
    call: ({ next }) => ({ json: { intro: `Leaking taps, ${next()} of them.`, onboarding: false } }),
  },
  'GET /api/settings/notifications': { access: 'session', call: () => ({}) },
  'PUT /api/settings/notifications': {
    access: 'session',
    call: ({ next }) => ({ json: { newsletter: next() % 2 === 0, sms: true } }),
  },
  'GET /api/settings/retention': { access: 'session', call: () => ({}) },
  'PUT /api/settings/retention': {
    access: 'session',
    call: ({ next }) => ({ json: { years: 5 + (next() % 6) } }),
  },
  'POST /api/settings/notifications/test': { access: 'session', call: () => ({}) },
  'GET /api/public-forms/:slug': { access: 'open', names: 'public', call: ({ acme }) => slugOf(acme) },
  'POST /api/public-forms/:slug/jobs': {
    access: 'open',
    names: 'public',
    call: async ({ app, acme, next }) => ({
      ...slugOf(acme),
      headers: { 'x-bot-check': await aTicket(app), 'idempotency-key': crypto.randomUUID() },
      json: aJobRequest({ title: `Leaking shower ${next()}` }),
    }),
    // A file that was sent to another business does not come along.
    foreign: async (world) => {
      const foreignId = await world.media(world.rival);
      const headers = { 'x-bot-check': await aTicket(world.app) };
      return { ...slugOf(world.acme), foreignId, headers, json: aJobRequest({ media: [foreignId] }) };
    },
  },
  'POST /api/public-forms/:slug/media': {
    access: 'open',
    names: 'public',
    call: async ({ app, acme, next }) => ({
      ...slugOf(acme),
      query: { name: 'plan.pdf' },
      headers: { 'x-bot-check': await aTicket(app) },
      bytes: pdf(next()),
    }),
  },
  'GET /api/public-forms/:slug/addresses': {
    access: 'open',
    names: 'public',
    call: ({ acme }) => ({ ...slugOf(acme), query: { q: '12 smith st fitz' } }),
  },
  'GET /api/public-forms/:slug/addresses/:id': {
    access: 'open',
    names: 'public',
    call: async ({ app, acme }) => {
      const path = `/api/public-forms/${acme.slug}/addresses?q=12%20smith%20st%20fitzroy`;
      const { id } = (await app.get(path)).body.addresses[0];
      return { params: { slug: acme.slug, id: encodeURIComponent(id) } };
    },
  },
  'POST /t/:slug': {
    access: 'open',
    names: 'public',
    call: ({ acme, next }) => {
      const { name, email, phone, address } = aJobRequest();
      const form = { name, email, phone, address, title: `Leaking shower ${next()}`, website: '' };
      return { ...slugOf(acme), form };
    },
  },
  'POST /unsubscribe/:token': {
    access: 'open',
    names: 'secret',
    call: ({ app, acme: { accountId } }) => ({
      params: { token: unsubscribeToken(app.deps.config, { accountId, kind: 'newsletter' }) },
      form: { 'List-Unsubscribe': 'One-Click' },
    }),
  },
  'GET /logos/:key': {
    access: 'open',
    names: 'public',
    call: async (world) => ({ params: { key: await logoKey(world) } }),
  },
  'HEAD /logos/:key': {
    access: 'open',
    names: 'public',
    call: async (world) => ({ params: { key: await logoKey(world) } }),
  },
  'GET /api/map-tiles': { access: 'open', call: () => ({}) },
  'GET /api/health/live': { access: 'open', call: () => ({}) },
  'GET /api/health/ready': { access: 'open', call: () => ({}) },
  'GET /api/metrics': { access: 'other', call: () => ({ headers: bearer(METRICS_TOKEN) }) },
  'GET /api/openapi': { access: 'open', call: () => ({}) },
  'GET /dev/outbox': { access: 'open', call: () => ({}) },
  'GET /dev/outbox/:id': ofOutbox(),
  'GET /dev/outbox/:id/html': ofOutbox(),
  'GET /dev/outbox/messages.json': { access: 'open', call: () => ({}) },
  'GET /dev/outbox/newest.json': { access: 'open', call: () => ({}) },
} as const satisfies Record<string, Recipe>;
