import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { invalid } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { readUpload } from '#api/http/body/body.ts';
import type { Uploads } from '#api/http/body/uploads.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, type Session, turnOf } from '#api/http/request-context.ts';
import { answerChange } from '#api/jobs/change-job.ts';
import { jobIdFrom, loadJob } from '#api/jobs/load-job.ts';
import type { PhotoOfJob } from '#api/jobs/stored-photos.ts';
import { photoNotFoundMessage } from '#core/job/photos/decide.ts';
import { captionProblem, photoStages } from '#core/job/photos/photo-stages.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { notPlainTextMessage } from '#core/values/job-form.ts';
import { isWellFormed, singleLine } from '#core/values/text.ts';
import { mediaUpload } from '#core/values/uploads.ts';
import { addedPhoto, describedPhoto, givePhoto, removePhoto } from './change-photos.ts';

const Stage = type
  .enumerated(...photoStages)
  .configure({ message: 'before, during or after', description: 'When it was taken' });

const AddedPhoto = type({ '+': 'reject', stage: Stage });
const Described = type({
  '+': 'reject',
  stage: Stage,
  caption: type('string')
    .narrow((text, ctx) => {
      const problem = captionProblem(text);
      return problem === null || ctx.reject({ message: problem });
    })
    .pipe(singleLine),
});

/** The caption that comes with the bytes, percent-encoded. Throws 422 with `fields.caption` for one that is none. */
function captionIn(headers: Headers): string {
  const caption = decoded(headers.get('x-caption') ?? '');
  if (caption === null || !isWellFormed(caption)) throw invalid({ caption: notPlainTextMessage });
  const problem = captionProblem(caption);
  if (problem !== null) throw invalid({ caption: problem });
  return singleLine(caption);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const PHOTO_ID = /^[0-9a-f]{32}$/;
const upload = { limit: mediaUpload.bytes, tooLarge: mediaUpload.tooLarge } as const;

/**
 * PUT /jobs/{id}/photos/{photoId}?stage with the bytes of a picture and its caption in `x-caption`, POST …/{photoId} { stage, caption } and DELETE
 * …/{photoId} → { job }: the tradie's photos of the work. An event each, with the hash of the bytes; 409 with { job } while the
 * job is not accepted, above forty photos, and once its customer's details were removed.
 */
export function photoRoutes(deps: Deps, uploads: Uploads) {
  const { limitJobChanges } = deps;
  return new Elysia({ name: 'photos', prefix: '/jobs' })
    .use(auth(deps))
    .put(
      '/:id/photos/:photoId',
      async ({ session, params, query: { stage }, request, set }) => {
        const photo = photoOf(session, params);
        const caption = captionIn(request.headers);
        await limitJobChanges(session, photo.jobId);
        await loadJob(deps, session.businessId, photo.jobId);
        using place = uploads.open(request);
        const bytes = await readUpload(request, upload, place);
        const change = await addedPhoto(deps, photo, {
          ...{ bytes, stage, caption },
          turn: turnOf(deps, request),
        });
        return answerChange(
          deps,
          { session, jobId: photo.jobId, set },
          givePhoto(deps, session, photo, change, contextOf(request).id),
        );
      },
      {
        signedIn: true,
        query: AddedPhoto,
        detail: operation('Jobs', 'addJobPhoto', 'Adds a photo of the work', {
          headers: ['x-caption'],
          description:
            'The bytes are the body. The sender makes the id, 32 hexadecimal digits: the same again is the same photo, so a sending that was cut off is sent anew as a whole.',
        }),
      },
    )
    .post(
      '/:id/photos/:photoId',
      async ({ session, params, body, request, set }) => {
        const photo = photoOf(session, params);
        await limitJobChanges(session, photo.jobId);
        const change = await describedPhoto(deps, photo, body);
        return answerChange(
          deps,
          { session, jobId: photo.jobId, set },
          givePhoto(deps, session, photo, change, contextOf(request).id),
        );
      },
      {
        signedIn: true,
        body: Described,
        detail: operation('Jobs', 'describeJobPhoto', 'Says what a photo shows, or puts it back', {
          description: 'A photo that was removed within a day is in the job again.',
        }),
      },
    )
    .delete(
      '/:id/photos/:photoId',
      async ({ session, params, request, set }) => {
        const photo = photoOf(session, params);
        await limitJobChanges(session, photo.jobId);
        return answerChange(
          deps,
          { session, jobId: photo.jobId, set },
          removePhoto(deps, session, photo, contextOf(request).id),
        );
      },
      {
        signedIn: true,
        detail: operation('Jobs', 'removeJobPhoto', 'Removes a photo of the work'),
      },
    );
}

/** A malformed id is the id of no photo. */
function photoOf({ businessId }: Session, params: Readonly<{ id: string; photoId: string }>): PhotoOfJob {
  if (!PHOTO_ID.test(params.photoId)) throw new NotFoundError(photoNotFoundMessage);
  return { businessId, jobId: jobIdFrom(params.id), photoId: params.photoId };
}
