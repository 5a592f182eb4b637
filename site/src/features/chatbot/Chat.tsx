import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import { product } from '#core/values/product.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatLongDay } from '#site/lib/time/moments.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { KelFace } from '#site/ui/KelFace.tsx';
import { Composer } from './Composer.tsx';
import { $turns } from './chat-store.ts';
import { TurnOfChat } from './TurnOfChat.tsx';
import { useFollowEnd } from './use-follow-end.ts';

/** The conversation with the assistant. Each sentence is a line of its own in the log, read out as it comes. */
export function Chat() {
  const turns = useStore($turns, { ssr: 'initial' });
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const log = useRef<HTMLDivElement>(null);
  const onScroll = useFollowEnd(log, turns, turns.at(-1)?.id ?? 0);
  return (
    <FaultBoundary>
      <div
        className="chat__log"
        role="log"
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
        tabIndex={0}
        ref={log}
        onScroll={onScroll}
      >
        <p className="chat__day num">{timeZone ? formatLongDay(new Date(), timeZone) : '\u00a0'}</p>
        <div className="msg">
          <KelFace className="msg__face" />
          <div className="bubble">
            G’day, {product.mascot} here. Ask me about your jobs, or how {product.name} works.
          </div>
        </div>
        {turns.map((turn, place) => (
          <TurnOfChat key={turn.id} turn={turn} isLast={place === turns.length - 1} />
        ))}
      </div>
      <Composer isAnswering={turns.at(-1)?.state === 'answering'} />
    </FaultBoundary>
  );
}
