import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { badRequest, HttpError, notFound, ok, sessionTimedOut } from '#api/http/answers.ts';
import { createAuthenticator } from '#api/http/auth.ts';
import { addressKey } from '#api/http/client-address.ts';
import { localLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { textParameter } from '#api/http/validation.ts';
import { toBase64 } from '#core/crypto/base64.ts';
import { findSizesAround } from './handed-out.ts';
import {
  type Checkpoint,
  findCheckpoint,
  listCheckpoints,
  provesConsistency,
  readHandovers,
  readProofKeys,
  readTimestamps,
} from './read.ts';

/** A number of leaves, as it is typed. */
const size = (description: string) =>
  textParameter(description, '4400123')
    .narrow((text, ctx) => /^[1-9]\d{0,14}$/.test(text) || ctx.reject({ message: 'A whole number from 1' }))
    .pipe(Number, type('number.integer'));

const ConsistencyQuery = type({
  from: size('Leaves of the older tree'),
  to: size('Leaves of the newer tree'),
});

/** How long an answer may be stored: a newer checkpoint comes within a minute, one of a size never changes. */
const BRIEFLY = 'max-age=5';
const FOR_EVER = 'max-age=31536000, immutable';

const onlySome =
  'No checkpoint of this size is stored. Older ones are thinned out to one an hour, and to one a day after 90 days; what went out in a mail stays.';

const PER_CLIENT = { name: 'checkpoints', points: 60, seconds: 60 };

/**
 * What was signed of the log, for who wants to compare it with what they were handed: GET /checkpoints → the newest hundred ·
 * GET /checkpoints/latest, /checkpoints/:size → { checkpoint }, of which `note` is what was signed, by witnesses too, and `timestamps`
 * are answers of RFC 3161 in base64, about the note's three lines of text ·
 * GET /checkpoints/key → { keys, handovers }, the notes by which one key named the next · GET /checkpoints/consistency?from,to → { proof }. Open to all, or with
 * `CHECKPOINTS=members` to those who are signed in: sizes tell how busy the product is.
 */
export function checkpointRoutes(deps: Deps) {
  const limiter = localLimiter(deps, PER_CLIENT);
  const authenticate = createAuthenticator(deps);
  const authorize = async ({ request }: { request: Request }) => {
    await limiter.consume(addressKey(contextOf(request).ip));
    if (deps.config.checkpoints === 'members' && !(await authenticate(request.headers)))
      throw sessionTimedOut();
  };

  const store = (set: { headers: Record<string, string | number> }, howLong: string) => {
    set.headers['cache-control'] =
      `${deps.config.checkpoints === 'members' ? 'private' : 'public'}, ${howLong}`;
  };
  const list = askOnce(() => listCheckpoints(deps.db, 100));
  const newest = askOnce(() => findCheckpoint(deps.db));
  const keys = askOnce(() => Promise.all([readProofKeys(deps.db), readHandovers(deps.db)]));

  return new Elysia({ name: 'checkpoints', prefix: '/checkpoints' })
    .get(
      '',
      async ({ set }) => {
        const checkpoints = await list();
        store(set, BRIEFLY);
        return ok({
          checkpoints: checkpoints.map((one) => ({ size: one.size, signedAt: one.madeAt.toISOString() })),
        });
      },
      {
        transform: authorize,
        detail: operation('Records', 'listCheckpoints', 'What was signed of the log', {
          access: 'open or session',
        }),
      },
    )
    .get(
      '/latest',
      async ({ set }) => {
        store(set, BRIEFLY);
        return answerWith(deps, await newest());
      },
      {
        transform: authorize,
        detail: operation('Records', 'getNewestCheckpoint', 'The newest checkpoint', {
          access: 'open or session',
          statuses: [404],
        }),
      },
    )
    .get(
      '/key',
      async ({ set }) => {
        const [published, handovers] = await keys();
        store(set, BRIEFLY);
        return ok({ keys: published.map(({ kind, vkey }) => ({ kind, vkey })), handovers });
      },
      {
        transform: authorize,
        detail: operation('Records', 'listCheckpointKeys', 'The public keys that sign checkpoints', {
          access: 'open or session',
        }),
      },
    )
    .get(
      '/consistency',
      async ({ query: { from, to }, set }) => {
        if (from > to) throw badRequest('The older tree is the smaller one');
        const proof = await provesConsistency(deps.db, deps, { from, to });
        if (!proof) throw notFound();
        store(set, FOR_EVER);
        return ok({ from, to, proof: proof.map(toBase64) });
      },
      {
        transform: authorize,
        query: ConsistencyQuery,
        detail: operation('Records', 'proveConsistency', 'That one log is in another', {
          access: 'open or session',
          statuses: [404],
        }),
      },
    )
    .get(
      '/:size',
      async ({ params, set }) => {
        const wanted = /^[1-9]\d{0,14}$/.test(params.size) ? Number(params.size) : null;
        const checkpoint = wanted === null ? null : await findCheckpoint(deps.db, wanted);
        if (wanted !== null && checkpoint === null) throw await thinnedOut(deps, wanted);
        // Witnesses sign the newest alone.
        if (checkpoint) store(set, (await newest())?.size === wanted ? BRIEFLY : FOR_EVER);
        return answerWith(deps, checkpoint);
      },
      {
        transform: authorize,
        detail: operation('Records', 'getCheckpoint', 'The checkpoint of a size', {
          access: 'open or session',
        }),
      },
    );
}

/** Questions that come while one is being answered share its answer: a crowd costs what one client does. */
function askOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => {
    asked ??= ask().finally(() => {
      asked = null;
    });
    return asked;
  };
}

/** 404 in words that say which sizes are stored, for one that the log has grown beyond. */
async function thinnedOut({ db }: Pick<Deps, 'db'>, wanted: number): Promise<HttpError> {
  const { below, above } = await findSizesAround(db, wanted);
  if (above === null) return notFound();
  const nearest = below === null ? `The first is of ${above}` : `The nearest are of ${below} and ${above}`;
  return new HttpError('not-found', `${onlySome} ${nearest}.`);
}

async function answerWith({ db }: Pick<Deps, 'db'>, checkpoint: Checkpoint | null) {
  if (!checkpoint) throw notFound();
  const { origin, size, root, madeAt } = checkpoint;
  const timestamps = await readTimestamps(db, checkpoint);
  return ok({
    checkpoint: {
      ...{ origin, size, root: toBase64(root), signedAt: madeAt.toISOString() },
      note: checkpoint.note + checkpoint.cosignatures,
      timestamps: timestamps.map(({ source, answer }) => ({ by: source, token: toBase64(answer) })),
    },
  });
}
