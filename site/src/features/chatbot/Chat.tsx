import { useStore } from '@nanostores/react';
import { type RefObject, type UIEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { chatLimits, product } from '#core/values/product.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatLongDay } from '#site/lib/time/moments.ts';
import { KelFace } from '#site/ui/drawn-again.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { takeAtMost } from '#site/ui/form/text-limit.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { $turns, ask, stop } from './chat-store.ts';
import { TurnOfChat } from './TurnOfChat.tsx';

/** Pixels from its end within which a reader counts as being there. */
const NEAR = 64;

/**
 * Scrolls to the end of a growing log, but for a reader who has scrolled up to read; `begun` counts what always brings
 * them back. Give the result to the log as `onScroll`.
 */
function useFollowEnd(
  log: RefObject<HTMLElement | null>,
  grown: unknown,
  begun: number,
): (event: UIEvent<HTMLElement>) => void {
  const isAtEnd = useRef(true);
  const toEnd = () => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is added to the log moves its end.
  useEffect(() => {
    if (isAtEnd.current) toEnd();
  }, [grown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question is looked at, wherever one was.
  useEffect(toEnd, [begun]);
  return ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR;
  };
}

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
          <div className="bubble">{`G’day, ${product.mascot} here. Ask me about your jobs, or how ${product.name} works.`}</div>
        </div>
        {turns.map((turn, place) => (
          <TurnOfChat key={turn.id} turn={turn} isLast={place === turns.length - 1} />
        ))}
      </div>
      <Composer isAnswering={turns.at(-1)?.state === 'answering'} />
    </FaultBoundary>
  );
}

const suggestions = [
  'What’s on today?',
  'Which jobs need a quote?',
  'Who’s waiting on an answer?',
  'Share my job form',
];

const neverChanges = () => () => {};

/** Suggestions, and the field below them. While an answer comes, Stop stands in for Send. */
function Composer({ isAnswering }: { isAnswering: boolean }) {
  const [text, setText] = useState('');
  // What is typed before the page listens would be lost.
  const isListening = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const label = `Message ${product.mascot}`;
  const send = () => {
    if (isAnswering || text.trim() === '') return;
    void ask(text);
    setText('');
  };
  return (
    <div className="chat__foot">
      <fieldset className="chips chips--scroll" aria-label="Suggestions">
        {suggestions.map((suggestion) => (
          <button
            key={suggestion}
            className="chip"
            type="button"
            aria-disabled={isAnswering}
            onClick={() => void ask(suggestion)}
          >
            {suggestion}
          </button>
        ))}
      </fieldset>
      <form
        className="composer"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label className="sr" htmlFor="ask">
          {label}
        </label>
        <input
          className="input"
          id="ask"
          placeholder={label}
          autoComplete="off"
          readOnly={!isListening}
          enterKeyHint="send"
          value={text}
          onChange={takeAtMost(chatLimits.message, setText)}
          onKeyDown={({ key }) => {
            if (key === 'Escape') stop();
          }}
        />
        {isAnswering ? (
          <button className="btn btn--secondary btn--icon" type="button" aria-label="Stop" onClick={stop}>
            <Icon name="x" />
          </button>
        ) : (
          <button className="btn btn--primary btn--icon" type="submit" aria-label="Send">
            <Icon name="send" />
          </button>
        )}
      </form>
    </div>
  );
}
