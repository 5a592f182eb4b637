import type { JobRequest } from '#core/job/commands.ts';
import { withoutContact } from '#core/values/contact-in-text.ts';
import type { SignedIn, TestApp } from './api.ts';
import { sendForm } from './job-requests.ts';

/** A customer's request through the public form, visible in the lists; answers its job's id. */
export async function requestedJob(
  app: TestApp,
  business: SignedIn,
  request: Partial<JobRequest> = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const title = request.title ?? `Job ${crypto.randomUUID()}`;
  const answer = await sendForm(app, business.slug, { ...request, title }, headers);
  if (answer.status !== 200) throw new Error(`the form answered ${answer.status}`);
  await app.settle();
  const { jobs } = (await business.get('/api/jobs?limit=1')).body;
  if (jobs[0]?.title !== withoutContact(title))
    throw new Error('the newest job is not the one that was sent');
  return jobs[0].id;
}
