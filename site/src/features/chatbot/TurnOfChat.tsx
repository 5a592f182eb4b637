import type { JobLine, Piece } from '#api/providers/assistant/assistant.ts';
import { product } from '#core/values/product.ts';
import { ownPath } from '#site/lib/session/own-path.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { KelFace } from '#site/ui/KelFace.tsx';
import { askAgain, type Turn } from './chat-store.ts';
import { ProposalCard } from './ProposalCard.tsx';

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
  return <p className={text.startsWith('•') ? 'bubble__point' : 'bubble__sentence'}>{text} </p>;
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
