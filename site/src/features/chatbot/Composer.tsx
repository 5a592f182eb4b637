import { useState, useSyncExternalStore } from 'react';
import { chatLimits, product } from '#core/values/product.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { ask, stop } from './chat-store.ts';

const suggestions = [
  'What’s on today?',
  'Which jobs need a quote?',
  'Who’s waiting on an answer?',
  'Share my job form',
];

const neverChanges = () => () => {};

/** Suggestions, and the field below them. While an answer comes, Stop stands in for Send. */
export function Composer({ isAnswering }: { isAnswering: boolean }) {
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
          maxLength={chatLimits.message}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
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
