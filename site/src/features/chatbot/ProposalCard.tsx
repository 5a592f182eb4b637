import { useState } from 'react';
import type { Proposal } from '#api/providers/assistant/assistant.ts';
import { confirmProposal, proposalLabel } from './confirm-proposal.ts';

/** A change that waits for the tradie’s press, made once. The button stays where it is: focus does too. */
export function ProposalCard({ proposal }: { proposal: Proposal }) {
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
          {proposalLabel(proposal)}
        </button>
      </p>
      {state === 'done' && <p className="bubble__end">Done.</p>}
    </>
  );
}
