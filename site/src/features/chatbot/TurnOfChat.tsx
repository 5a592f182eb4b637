import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { JobLine, Piece, Proposal } from '#api/assistant/assistant.ts';
import type { JobView } from '#core/job/view.ts';
import { product } from '#core/values/product.ts';
import { showChanged } from '#site/jobs/changes/change-job.ts';
import { $jobCards, jobCounts } from '#site/jobs/job-stores.ts';
import { changeJob, pathOf } from '#site/jobs/jobs-api.ts';
import { ApiError, request } from '#site/lib/http/api.ts';
import { refreshQueries } from '#site/lib/http/query.ts';
import { ownPath } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatDay, formatTime } from '#site/lib/time/moments.ts';
import { KelFace } from '#site/ui/drawn-again.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { askAgain, type Turn } from './chat-store.ts';

const done = {
  accept: 'Job has been accepted!',
  reject: 'Job has been rejected.',
  status: 'Job updated successfully',
  notes: 'Job updated successfully',
  schedule: 'Job updated successfully',
} as const;

/** The text of a proposal's button. */
function proposalLabel({ change }: Proposal, timeZone: string): string {
  if (change.kind === 'schedule')
    return `Move to ${formatDay(change.scheduledAt, timeZone)}, ${formatTime(change.scheduledAt, timeZone)}`;
  if (change.kind === 'status') return `Mark as ${change.status}`;
  return { accept: 'Accept job', reject: 'Reject job', notes: 'Save note' }[change.kind];
}

/** Makes a proposed change by the same call as any page, with the revision it was proposed on. False: it was refused. */
async function confirmProposal(proposal: Proposal): Promise<boolean> {
  const { kind } = proposal.change;
  const before = $jobCards.get()[proposal.jobId];
  try {
    const job = await send(proposal);
    toast.dismiss('proposal');
    showChanged(before, job, done[kind], kind === 'reject' ? 'info' : 'success');
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
  if (change.kind === 'schedule') return changeJob(jobId, { scheduledAt: change.scheduledAt, revision });
  if (change.kind === 'notes') return changeJob(jobId, { notes: change.notes, revision });
  const path = `${pathOf(jobId)}/${change.kind}` as const;
  return (await request('PUT', path, { body: { revision } })).job;
}

/**
 * A question and its answer. What comes from the server is shown as text: no picture, and no link but our own. The last one
 * can be asked again where its answer failed.
 */
export function TurnOfChat({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const { question, pieces, state, failure } = turn;
  return (
    <>
      <div className="msg msg--me">
        <div className="bubble">{question}</div>
      </div>
      <div className="msg">
        <KelFace className="msg__face" />
        <div className={`bubble${pieces.some(({ kind }) => kind !== 'text') ? ' bubble--rich' : ''}`}>
          {pieces.map((piece, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end.
            <PieceOfAnswer key={`${turn.id}-${place}`} piece={piece} />
          ))}
          {state === 'answering' && (
            <span
              className={`typing${pieces.length > 0 ? ' typing--more' : ''}`}
              role="img"
              aria-label={`${product.mascot} is typing`}
            >
              <i />
              <i />
              <i />
            </span>
          )}
          {state === 'failed' && <p className="bubble__end">{failure}</p>}
          {state === 'failed' && isLast && <AskAgain turn={turn} />}
          {state === 'stopped' && <p className="bubble__end muted">Stopped.</p>}
        </div>
      </div>
    </>
  );
}

function AskAgain({ turn }: { turn: Turn }) {
  return (
    <p className="proposal">
      <button
        className="btn btn--secondary"
        type="button"
        onClick={({ currentTarget }) => {
          // The button goes with the answer that failed.
          currentTarget.closest<HTMLElement>('[role="log"]')?.focus();
          askAgain(turn);
        }}
      >
        Ask again
      </button>
    </p>
  );
}

function PieceOfAnswer({ piece }: { piece: Piece }) {
  switch (piece.kind) {
    case 'text':
      return <Sentence text={piece.text} />;
    case 'jobs':
      return <JobLines jobs={piece.jobs} />;
    case 'proposal':
      return <ProposalCard proposal={piece.proposal} />;
    case 'link':
      return (
        <p className="proposal">
          <a className="btn btn--secondary" href={ownLink(piece.path)}>
            {piece.label}
          </a>
        </p>
      );
  }
}

/** Sentences run on like in any text, each a node of its own: so each is read out as it comes. */
function Sentence({ text }: { text: string }) {
  return <p className={text.startsWith('•') ? 'bubble__point' : 'bubble__sentence'}>{`${text} `}</p>;
}

/** Signing out is a link like any other here, though signing in never leads to it. */
function ownLink(path: string): string {
  return path === '/logout' ? path : ownPath(path);
}

function JobLines({ jobs }: { jobs: readonly JobLine[] }) {
  return (
    <ul className="mini">
      {jobs.map(({ id, lead, title }) => (
        <li key={id}>
          <a href={`/jobs/details/${encodeURIComponent(id)}`}>
            <b>{lead}</b>
            <span>{title}</span>
            <Icon name="chevron-right" />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A change that waits for the tradie’s press, made once. The button stays where it is: focus does too. */
function ProposalCard({ proposal }: { proposal: Proposal }) {
  const timeZone = useStore($session)?.user?.timeZone ?? 'UTC';
  const [state, setState] = useState<'offered' | 'busy' | 'done'>('offered');
  const confirm = async () => {
    if (state !== 'offered') return;
    setState('busy');
    setState((await confirmProposal(proposal)) ? 'done' : 'offered');
  };
  return (
    <>
      <p className="proposal">
        <button
          className="btn btn--primary"
          type="button"
          onClick={confirm}
          aria-disabled={state !== 'offered'}
        >
          {proposalLabel(proposal, timeZone)}
        </button>
      </p>
      {state === 'done' && <p className="bubble__end">Done.</p>}
    </>
  );
}
