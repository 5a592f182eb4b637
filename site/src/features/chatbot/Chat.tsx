import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { product } from '#core/values/product.ts';
import { FaultBoundary } from '#site/components/ui/FaultBoundary.tsx';
import { KelFace } from '#site/components/ui/KelFace.tsx';
import { $session } from '#site/lib/session-store.ts';
import { formatLongDay } from '#site/lib/when.ts';
import { Composer } from './Composer.tsx';
import { $turns } from './chat-store.ts';
import { TurnOfChat } from './TurnOfChat.tsx';

/** The conversation with the assistant. Each sentence is a line of its own in the log, read out as it comes. */
export function Chat() {
  const turns = useStore($turns, { ssr: 'initial' });
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const log = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is added to the log moves its end.
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [turns]);
  return (
    <FaultBoundary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
      <div className="chat__log" role="log" aria-label="Conversation" tabIndex={0} ref={log}>
        <p className="chat__day num">{timeZone ? formatLongDay(new Date(), timeZone) : '\u00a0'}</p>
        <div className="msg">
          <KelFace className="msg__face" />
          <div className="bubble">G’day. Ask me about your jobs, or how {product.name} works.</div>
        </div>
        {turns.map((turn) => (
          <TurnOfChat key={turn.id} turn={turn} />
        ))}
      </div>
      <Composer isAnswering={turns.at(-1)?.state === 'answering'} />
    </FaultBoundary>
  );
}
