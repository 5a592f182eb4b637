import { randomBytes } from 'node:crypto';
import { type LinkKind, storeLink } from '#api/intake/answer-links.ts';
import { mediaUrl } from '#api/jobs/media-link.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { png } from '#tests/support/scenarios/files.ts';
import { dateIn } from '#tests/support/scenarios/job-requests.ts';
import { signForRecords } from './record-recipes.ts';
import { type Call, type Recipe, UNKNOWN, type World } from './world.ts';

type CallOfJob = (id: string, owner: SignedIn, world: World) => Call | Promise<Call>;

/** An operation of one job, on a job that waits for it. */
const ofJob = (callOf: CallOfJob = () => ({}), prepare: (world: World) => void = () => {}) => {
  const on = async (world: World, owner: SignedIn) => {
    prepare(world);
    const id = await world.pendingJob(owner);
    const call = await callOf(id, owner, world);
    return { ...call, params: { ...call.params, id }, foreignId: id };
  };
  return {
    access: 'session',
    names: 'owned',
    call: (world: World) => on(world, world.acme),
    foreign: (world: World) => on(world, world.rival),
  } as const satisfies Recipe;
};

/** A new photo for a job that its owner works on; `isAdded`: one that is there already. */
async function aPhoto(id: string, owner: SignedIn, isAdded: boolean): Promise<Call> {
  await owner.put(`/api/jobs/${id}/accept`);
  const photoId = crypto.randomUUID().replaceAll('-', '');
  const bytes = png(4, 4);
  if (!isAdded) return { params: { photoId }, query: { stage: 'before' }, bytes };
  await owner.send('PUT', `/api/jobs/${id}/photos/${photoId}?stage=before`, { body: bytes });
  return { params: { photoId } };
}

/** The customer of a job asks for something by the link of their receipt; answers the revision of what they asked. */
async function asked({ app }: World, owner: SignedIn, id: string, ask: object): Promise<number> {
  const token = randomBytes(32).toString('base64url');
  const target = { kind: 'privacy', jobId: id, businessId: owner.businessId, accountId: null } as const;
  await storeLink(app.deps.db, token, target, app.deps.now());
  await app.post(`/api/your-details/${token}`, ask);
  const { history = [] } = (await owner.get(`/api/jobs/${id}/history`)).body;
  return history.find(({ who }: { who: { kind: string } }) => who.kind === 'customer')?.revision ?? 0;
}

/** A link in a message that opens a job of a business. */
async function linkTo(world: World, owner: SignedIn, kind: LinkKind): Promise<string> {
  const { deps } = world.app;
  const token = randomBytes(32).toString('base64url');
  const { businessId } = owner;
  const accountId = kind === 'answer' ? owner.accountId : null;
  await storeLink(
    deps.db,
    token,
    { kind, jobId: await world.pendingJob(owner), businessId, accountId },
    deps.now(),
  );
  return token;
}

const ofLink = (kind: LinkKind, body: Omit<Call, 'params'> = {}) =>
  ({
    access: 'open',
    names: 'secret',
    call: async (world: World) => ({ ...body, params: { token: await linkTo(world, world.acme, kind) } }),
  }) as const satisfies Recipe;

const aJob = (world: World) => ({
  name: 'Aroha Tāwhiri',
  email: 'aroha.t@example.com',
  phone: '0491 570 156',
  address: '22/140 Lygon St, Brunswick East VIC 3057',
  title: `Leaking shower ${world.next()}`,
  notes: 'Ring first',
  scheduledAt: null,
});

/** What the address book answers first for a street. */
async function anAddress({ acme }: World): Promise<string> {
  const { addresses } = (await acme.get('/api/addresses?q=12%20smith%20st%20fitzroy')).body;
  return addresses[0].id;
}

/** A signed link to a file of a job; `signedFor` is whose file the signature is of. */
async function mediaLink(world: World, signedFor: string, id = signedFor): Promise<Call> {
  const url = new URL(mediaUrl(world.app.deps.config, signedFor, world.app.deps.now()), 'http://localhost');
  return { params: { id }, query: Object.fromEntries(url.searchParams) };
}

export const jobRecipes = {
  'GET /api/jobs': {
    access: 'session',
    call: ({ next }) => ({
      query: { page: '1', limit: '5', search: next() % 2 ? 'water' : '', sort: 's.date' },
    }),
  },
  'POST /api/jobs': { access: 'session', call: (world) => ({ json: aJob(world) }) },
  'GET /api/jobs/count': { access: 'session', call: () => ({}) },
  'GET /api/jobs/hints': {
    access: 'session',
    call: () => ({ query: { phone: '0491570156', email: 'aroha.t@example.com', except: UNKNOWN } }),
    foreign: async (world) => {
      const foreignId = await world.pendingJob(world.rival);
      return { foreignId, query: { phone: '0491570006', except: foreignId } };
    },
  },
  'GET /api/jobs/schedule': { access: 'session', call: () => ({ query: { ahead: '7' } }) },
  'GET /api/jobs/:id': ofJob(),
  'PUT /api/jobs/:id': ofJob(() => ({ json: { notes: 'The key is under the mat' } })),
  'PUT /api/jobs/:id/accept': ofJob(),
  'PUT /api/jobs/:id/reject': ofJob(),
  'GET /api/jobs/:id/history': ofJob(),
  'POST /api/jobs/:id/messages': ofJob(async (id, owner) => {
    await owner.put(`/api/jobs/${id}/accept`);
    return { json: { kind: 'on-my-way' } };
  }),
  'PUT /api/jobs/:id/photos/:photoId': ofJob((id, owner) => aPhoto(id, owner, false)),
  'POST /api/jobs/:id/photos/:photoId': ofJob(async (id, owner) => ({
    ...(await aPhoto(id, owner, true)),
    json: { stage: 'after', caption: 'The new valve' },
  })),
  'DELETE /api/jobs/:id/photos/:photoId': ofJob((id, owner) => aPhoto(id, owner, true)),
  'GET /api/jobs/:id/dispute': ofJob(),
  'PUT /api/jobs/:id/dispute': ofJob(() => ({ json: { until: dateIn(30), reason: 'Not paid' } })),
  'DELETE /api/jobs/:id/dispute': ofJob(),
  'GET /api/jobs/:id/erasure': ofJob(),
  'POST /api/jobs/:id/erasure': ofJob(() => ({ json: { others: [] } })),
  'DELETE /api/jobs/:id/erasure': ofJob(),
  'POST /api/jobs/:id/erasure/refusal': ofJob(async (id, owner, world) => {
    await owner.put(`/api/jobs/${id}/accept`);
    await asked(world, owner, id, { ask: 'removal' });
    return { json: { reason: 'guarantee' } };
  }),
  'PUT /api/jobs/:id/corrections/:asked': ofJob(async (id, owner, world) => {
    const revision = await asked(world, owner, id, { ask: 'correction', text: 'Unit 2' });
    return { params: { asked: `${revision}` }, json: { answer: 'refused' } };
  }),
  'POST /api/jobs/:id/record': ofJob(
    () => ({ json: { audience: 'owner' } }),
    ({ app }) => signForRecords(app),
  ),
  'POST /api/jobs/:id/undo': ofJob(async (id, owner) => {
    const { body } = await owner.put(`/api/jobs/${id}`, { notes: 'One too many' });
    return { json: { revision: body.job?.revision ?? 0 } };
  }),
  'GET /api/answers/:token': ofLink('answer'),
  'POST /api/answers/:token': ofLink('answer', { json: { answer: 'accept' } }),
  'POST /answer/:token': ofLink('answer', { form: { answer: 'decline' } }),
  'GET /api/not-needed/:token': ofLink('not-needed'),
  'POST /api/not-needed/:token': ofLink('not-needed'),
  'POST /not-needed/:token': ofLink('not-needed', { form: {} }),
  'GET /api/your-details/:token': ofLink('privacy'),
  'GET /api/your-details/:token/download': ofLink('privacy'),
  'POST /api/your-details/:token': ofLink('privacy', { json: { ask: 'correction', text: 'Unit 2' } }),
  'POST /api/your-details/:token/record': {
    ...ofLink('privacy'),
    call: async (world) => {
      signForRecords(world.app);
      return ofLink('privacy').call(world);
    },
  },
  'POST /your-details/:token': ofLink('privacy', { form: { ask: 'removal' } }),
  'GET /api/media/:id': {
    access: 'open',
    names: 'secret',
    call: async (world) => mediaLink(world, await world.media(world.acme)),
    // The signature of one's own file does not open another's.
    foreign: async (world) => {
      const foreignId = await world.media(world.rival);
      return { ...(await mediaLink(world, await world.media(world.acme), foreignId)), foreignId };
    },
  },
  'GET /api/live': { access: 'session', streams: true, call: () => ({}) },
  'POST /api/work-orders': {
    access: 'other',
    call: (world) => ({
      headers: { authorization: 'Bearer service-key-of-the-tests-0', 'idempotency-key': crypto.randomUUID() },
      json: { business: world.acme.slug, ...withoutNotes(aJob(world)), description: 'It will not light.' },
    }),
  },
  'GET /api/addresses': { access: 'session', call: () => ({ query: { q: '12 smith st fitz' } }) },
  'GET /api/addresses/:id': {
    access: 'session',
    names: 'public',
    call: async (world) => ({ params: { id: encodeURIComponent(await anAddress(world)) } }),
  },
} as const satisfies Record<string, Recipe>;

function withoutNotes({ notes: _, ...rest }: ReturnType<typeof aJob>) {
  return rest;
}
