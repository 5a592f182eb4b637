import type { JobLine, Piece } from '#api/providers/assistant/assistant.ts';
import { product } from '#core/values/product.ts';
import { Icon } from '#site/components/ui/Icon.tsx';
import { KelFace } from '#site/components/ui/KelFace.tsx';
import { ownPath } from '#site/lib/own-path.ts';
import type { Turn } from './chat-store.ts';
import { ProposalCard } from './ProposalCard.tsx';

/** A question and its answer. What comes from the server is shown as text: no picture, and no link but our own. */
export function TurnOfChat({ turn }: { turn: Turn }) {
  const { question, pieces, state, failure } = turn;
  const isWaiting = state === 'answering' && pieces.length === 0;
  return (
    <>
      <div className="msg msg--me">
        <div className="bubble">{question}</div>
      </div>
      <div className="msg">
        <KelFace className="msg__face" />
        <div className={`bubble${pieces.some(({ kind }) => kind !== 'text') ? ' bubble--rich' : ''}`}>
          {isWaiting && (
            <span className="typing" role="img" aria-label={`${product.mascot} is typing`}>
              <i />
              <i />
              <i />
            </span>
          )}
          {pieces.map((piece, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end.
            <PieceOfAnswer key={`${turn.id}-${place}`} piece={piece} />
          ))}
          {state === 'failed' && <p>{failure}</p>}
          {state === 'stopped' && <p className="muted">Stopped.</p>}
        </div>
      </div>
    </>
  );
}

function PieceOfAnswer({ piece }: { piece: Piece }) {
  switch (piece.kind) {
    case 'text':
      return <p>{piece.text}</p>;
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
