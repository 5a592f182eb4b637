import type { Proposal } from '#api/providers/assistant/assistant.ts';
import type { JobView } from '#core/job/view.ts';
import { jobCounts } from '#site/jobs/job-counts-store.ts';
import { storeJob } from '#site/jobs/job-details-store.ts';
import { changeJob, pathOf } from '#site/jobs/jobs-api.ts';
import { undoOf } from '#site/jobs/undo.ts';
import { ApiError, request } from '#site/lib/http/api.ts';
import { refreshQueries } from '#site/lib/http/query.ts';
import { toast } from '#site/ui/toast/toast.ts';

const done = {
  accept: 'Job has been accepted!',
  reject: 'Job has been rejected.',
  status: 'Job updated successfully',
  notes: 'Job updated successfully',
} as const;

/** The text of a proposal's button. */
export function proposalLabel({ change }: Proposal): string {
  if (change.kind === 'status') return `Mark as ${change.status}`;
  return { accept: 'Accept job', reject: 'Reject job', notes: 'Save note' }[change.kind];
}

/** Makes a proposed change by the same call as any page, with the revision it was proposed on. False: it was refused. */
export async function confirmProposal(proposal: Proposal): Promise<boolean> {
  const { kind } = proposal.change;
  try {
    const job = await send(proposal);
    storeJob(job);
    toast.dismiss('proposal');
    toast[kind === 'reject' ? 'info' : 'success'](done[kind], { undo: undoOf(job) });
    void jobCounts.refresh();
    return true;
  } catch (error) {
    const message = error instanceof ApiError && error.status === 409 ? error.message : 'Error updating job';
    toast.error(message, { title: 'Oops, something went wrong', id: 'proposal' });
    refreshQueries((key) => key.startsWith('job'));
    return false;
  }
}

async function send({ jobId, revision, change }: Proposal): Promise<JobView> {
  if (change.kind === 'status') return changeJob(jobId, { status: change.status, revision });
  if (change.kind === 'notes') return changeJob(jobId, { notes: change.notes, revision });
  const path = `${pathOf(jobId)}/${change.kind}`;
  return (await request<{ job: JobView }>('PUT', path, { body: { revision } })).job;
}
