import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import { aJobRequest, dateIn, requestedJob } from '#tests/support/scenarios/job-requests.ts';

const MARKER = 'Marker of Acme';
const UNKNOWN = '0198c0de-0000-7000-8000-000000000000';
const MALFORMED = [
  'x',
  '1',
  '..',
  '%2e%2e',
  "'--",
  '0198c0de',
  `${UNKNOWN}0`,
  UNKNOWN.toUpperCase().replace('0', 'O'),
];

/** Bodies that get past validation, for each route that takes one. */
const bodies: Record<string, object> = {
  'PUT /api/jobs/:id': { notes: 'mine now' },
  'POST /api/jobs/:id/record': { audience: 'owner' },
  'POST /api/jobs/:id/undo': { revision: 0 },
  'POST /api/jobs/:id/messages': { kind: 'on-my-way' },
  'POST /api/jobs/:id/erasure': { others: [] },
  'POST /api/jobs/:id/erasure/refusal': { reason: 'law' },
  'PUT /api/jobs/:id/corrections/:asked': { answer: 'agreed' },
  'PUT /api/jobs/:id/dispute': { until: dateIn(30) },
  'POST /api/jobs/:id/photos/:photoId': { stage: 'before', caption: '' },
  'PUT /api/form/questions/:id': { question: 'Whose is it?' },
};
/** Where a route asks for more than its path. */
const queries: Record<string, string> = { 'PUT /api/jobs/:id/photos/:photoId': '?stage=before' };
const PHOTO = '0198c0de7b1e70008000000000000001';
/** Routes whose parameter names nothing of a business; nor does what is below a public form, which is everybody's. */
const ofNobody = [
  '/t/:slug',
  ...['/api/addresses/:id', '/api/registration/address/:id'],
  ...['/api/answers/:token', '/api/not-needed/:token', '/answer/:token', '/not-needed/:token'],
  ...['/unsubscribe/:token', '/welcome/:token', '/your-details/:token', '/api/your-details/:token'],
  ...['/api/your-details/:token/download', '/api/your-details/:token/record'],
  ...['/dev/outbox/:id', '/dev/outbox/:id/html'],
  // A checkpoint is of the whole log.
  '/api/checkpoints/:size',
  // A link to a file is its own proof; logos are for everybody.
  ...['/api/media/:id', '/logos/:key'],
  // So is the link to an export.
  '/api/settings/export/:token',
  // Checkpoints are of the log as a whole.
  '/api/checkpoints/:size',
];

let app: TestApp;
let acme: SignedIn;
let other: SignedIn;
let foreign: Record<string, string>;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn();
  other = await app.signIn();
  const jobId = await requestedJob(app, acme, { title: MARKER });
  const { sessions } = (await acme.get('/api/authenticate/sessions')).body;
  const { question } = (await acme.post('/api/form', { trade: 'plumbing', question: MARKER, seq: 1 })).body;
  foreign = {
    ...{ '/api/jobs/:id': jobId, '/api/authenticate/sessions/:id': sessions[0].id },
    '/api/form/questions/:id': question.id,
  };
});
afterAll(() => app.close());

/** Every route of the app that names something by id. */
function routesWithIds() {
  return app.app.routes
    .map(({ method, path }) => ({ method, path }))
    .filter(
      ({ path }) => path.includes(':') && !path.startsWith('/api/public-forms/') && !ofNobody.includes(path),
    );
}

function foreignId(path: string): string {
  const owner = Object.keys(foreign).find((known) => path === known || path.startsWith(`${known}/`));
  if (!owner) throw new Error(`the matrix has no foreign id for ${path}`);
  return foreign[owner] as string;
}

async function call(client: SignedIn, { method, path }: { method: string; path: string }, id: string) {
  const body = bodies[`${method} ${path}`];
  const init = body
    ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    : undefined;
  const search = queries[`${method} ${path}`] ?? '';
  return client.send(method, path.replace(':photoId', PHOTO).replace(/:[a-zA-Z]+/, id) + search, init);
}

const withoutRef = ({ status, body }: Answer) => ({ status, body: { ...body, ref: '' } });

describe('what belongs to another business', () => {
  test('the matrix covers the routes of jobs', () => {
    expect(routesWithIds().map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'GET /api/jobs/:id',
        'PUT /api/jobs/:id',
        'PUT /api/jobs/:id/accept',
        'PUT /api/jobs/:id/reject',
        'GET /api/jobs/:id/history',
        'POST /api/jobs/:id/record',
        'POST /api/jobs/:id/undo',
        'POST /api/jobs/:id/messages',
        'GET /api/jobs/:id/dispute',
        'PUT /api/jobs/:id/dispute',
        'DELETE /api/jobs/:id/dispute',
        'GET /api/jobs/:id/erasure',
        'POST /api/jobs/:id/erasure',
        'DELETE /api/jobs/:id/erasure',
        'POST /api/jobs/:id/erasure/refusal',
        'PUT /api/jobs/:id/corrections/:asked',
        'PUT /api/jobs/:id/photos/:photoId',
        'POST /api/jobs/:id/photos/:photoId',
        'DELETE /api/jobs/:id/photos/:photoId',
      ]),
    );
  });

  test('cannot be told from what never was, on any route', async () => {
    const head = await app.deps.store.head();
    for (const route of routesWithIds()) {
      const answer = await call(other, route, foreignId(route.path));
      expect(withoutRef(answer)).toEqual({
        status: 404,
        body: { status: 'error', code: 'not-found', message: 'Not found', ref: '' },
      });
      expect(withoutRef(await call(other, route, UNKNOWN))).toEqual(withoutRef(answer));
    }
    expect(await app.deps.store.head()).toBe(head);
  });

  test('a malformed id is an unknown one', async () => {
    for (const route of routesWithIds().filter(({ path }) => path.startsWith('/api/jobs/'))) {
      for (const id of MALFORMED) {
        const { status, body } = await call(other, route, id);
        expect([404, 405], `${route.method} ${route.path} ${id}`).toContain(status);
        expect(body).toMatchObject({ status: 'error' });
      }
    }
  });

  test('is in no list, count or search', async () => {
    const reads = [
      ...['/api/jobs', '/api/jobs?search=Marker', '/api/jobs?filter=Pending', '/api/jobs/count'],
      ...['/api/jobs/schedule', `/api/jobs/hints?address=${encodeURIComponent(aJobRequest().address)}`],
    ];
    for (const path of reads) {
      const { text } = await other.get(path);
      expect(text).not.toContain(MARKER);
    }
    expect((await other.get('/api/jobs/count')).body.count.all).toBe(0);
  });

  test('needs a session in the first place', async () => {
    for (const route of routesWithIds()) {
      const answer = await call({ ...other, ...app.as({}) }, route, foreignId(route.path));
      expect(answer.status).toBe(403);
    }
  });
});
