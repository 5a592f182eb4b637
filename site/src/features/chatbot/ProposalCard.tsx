import { useState } from 'react';
import type { Proposal } from '#api/providers/assistant/assistant.ts';
import { confirmProposal, proposalLabel } from './confirm-proposal.ts';

/** A change that waits for the tradie's own press; once pressed it stays pressed, and Undo is in the toast. */
export function ProposalCard({ proposal }: { proposal: Proposal }) {
  const [state, setState] = useState<'offered' | 'busy' | 'done'>('offered');
  const confirm = async () => {
    setState('busy');
    setState((await confirmProposal(proposal)) ? 'done' : 'offered');
  };
  if (state === 'done') return <p className="proposal">Done.</p>;
  return (
    <p className="proposal">
      <button className="btn btn--primary" type="button" onClick={confirm} aria-disabled={state === 'busy'}>
        {proposalLabel(proposal)}
      </button>
    </p>
  );
}
