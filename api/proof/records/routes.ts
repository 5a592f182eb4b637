import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { localLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf, turnOf } from '#api/http/request-context.ts';
import { jobIdFrom } from '#api/jobs/load-job.ts';
import { Instant, storedInstant } from '#api/jobs/scheduled-time.ts';
import { recordAudiences } from '#core/values/stored-details.ts';

const Wanted = type({
  '+': 'reject',
  audience: type.enumerated(...recordAudiences),
  'at?': Instant.or('null'),
  'upTo?': 'number.integer >= 0',
  'anchor?': '1 <= number.integer <= 1000000000000000',
});

const PER_ACCOUNT = { name: 'job-records', points: 30, seconds: 60 * 60 };

const description =
  'Answers `record`, the text of a file that is handed over as it is, byte for byte, and the name that it has. It says what happened to the job, and proves that it stands in the log: `core/proof/FORMAT.md` describes it. `at` leaves out what came after that moment, `upTo` what came after the event with that revision; `anchor` is the size of a checkpoint that the reader holds. The history of the job names every record that was made.';

/** POST /jobs/{id}/record { audience, at, upTo, anchor } → { fileName, record }: signed, and noted in the job's history. */
export function recordRoutes(deps: Deps) {
  const limiter = localLimiter(deps, PER_ACCOUNT);
  return new Elysia({ name: 'records', prefix: '/jobs' }).use(auth(deps)).post(
    '/:id/record',
    async ({ session, params, body, request }) => {
      const { accountId, businessId } = session;
      const jobId = jobIdFrom(params.id);
      await limiter.consume(accountId);
      const at = storedInstant(body.at ?? null);
      const wanted = {
        ...{ businessId, jobId, audience: body.audience, by: 'tradie' as const },
        at: at === null ? null : new Date(at),
        upTo: body.upTo ?? null,
        anchors: body.anchor === undefined ? [] : [body.anchor],
      };
      const context = {
        ...{ actor: `account:${accountId}`, correlation: contextOf(request).id },
        turn: turnOf(deps, request),
      };
      return ok(await deps.proof.issueRecord(wanted, context));
    },
    {
      signedIn: true,
      body: Wanted,
      detail: operation('Jobs', 'makeJobRecord', 'Makes a signed record of a job', { description }),
    },
  );
}
