import '#site/ui/panel.css';
import '#site/ui/choice-rows.css';
import './queue-sheet.css';
import { useStore } from '@nanostores/react';
import { useId, useRef, useState } from 'react';
import { photoQueue } from '#site/jobs/changes/photo-queue.ts';
import { $isOnline } from '#site/lib/http/api.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { Sheet } from '#site/ui/Sheet.tsx';
import { changeQueue } from './browser-queue.ts';
import type { QueuedChange } from './change-queue.ts';
import { WaitingPhotos } from './WaitingPhotos.tsx';
import {
  aboutInWords,
  type Choice,
  type Clock,
  changeInWords,
  choiceInWords,
  isChoice,
  isSent,
  queueNote,
  queueTitle,
  removeLabel,
  stateInWords,
} from './waiting-words.ts';

type Props = Readonly<{ onClose(): void }>;

/** What waits, in the order in which it is sent: a sheet from below on a phone, a dialog in the middle where there is room. */
export function QueueSheet({ onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const changes = useStore(changeQueue.$changes);
  const timeZone = useStore($session)?.user?.timeZone ?? 'UTC';
  const [chosenId, setChosen] = useState<string | null>(null);
  const clock = { timeZone, now: new Date() };
  const chosen = changes.find((change) => change.id === chosenId && isChoice(change));
  const choice = chosen && choiceInWords(chosen, clock);
  return (
    <Sheet
      title={choice?.title ?? queueTitle(changes)}
      className="panel queue"
      dialog={dialog}
      onClose={onClose}
    >
      {chosen && choice ? (
        <Choose
          key={chosen.id}
          choice={choice}
          onMine={() => void changeQueue.insist(chosen.id).then(() => setChosen(null))}
          onTheirs={() => void changeQueue.drop(chosen.id).then(() => setChosen(null))}
        />
      ) : (
        <Queue changes={changes} clock={clock} onChoose={setChosen} />
      )}
    </Sheet>
  );
}

type QueueProps = Readonly<{ changes: readonly QueuedChange[]; clock: Clock; onChoose(id: string): void }>;

function Queue({ changes, clock, onChoose }: QueueProps) {
  const isReached = useStore(changeQueue.$isReached);
  const hasSignal = useStore($isOnline) && isReached;
  const areChangesStored = useStore(changeQueue.$isStored);
  const arePhotosStored = useStore(photoQueue.$isStored);
  return (
    <>
      <div className="panel__body queue__body">
        <ul>
          {changes.map((change) => (
            <li key={change.id} className={`queued ${lookOf(change)}`}>
              <Mark change={change} />
              <span>
                <b>{changeInWords(change, clock)}</b>
                <small>{aboutInWords(change, clock)}</small>
                <small className="queued__state">{stateInWords(change, changes, hasSignal, clock)}</small>
              </span>
              <Way change={change} clock={clock} onChoose={onChoose} />
            </li>
          ))}
          <WaitingPhotos hasSignal={hasSignal} />
        </ul>
        <p className="queue__note">
          <Icon name="info" className="icon--sm" />
          <span>{queueNote(areChangesStored && arePhotosStored)}</span>
        </p>
      </div>
      <div className="panel__foot queue__foot">
        <button className="btn btn--secondary btn--lg" type="button" onClick={tryNow}>
          <Icon name="refresh-cw" />
          <span>Try now</span>
        </button>
      </div>
    </>
  );
}

function tryNow(): void {
  void changeQueue.retry();
  photoQueue.retry();
}

function lookOf(change: QueuedChange): string {
  if (isSent(change)) return 'queued--sent';
  return change.problem ? 'queued--problem' : '';
}

function Mark({ change }: Readonly<{ change: QueuedChange }>) {
  if (isSent(change)) return <Icon name="circle-check-big" />;
  if (change.problem) return <Icon name="triangle-alert" />;
  return change.isSending ? <span className="ring" /> : <Icon name="cloud-off" />;
}

/** What can be done with a change: choose, take note of why it is not made, or take it out while it waits. */
function Way({ change, clock, onChoose }: Omit<QueueProps, 'changes'> & Readonly<{ change: QueuedChange }>) {
  if (isSent(change) || change.isSending) return null;
  if (isChoice(change)) {
    return (
      <button
        className="btn btn--secondary btn--sm"
        type="button"
        aria-label={`Choose: ${changeInWords(change, clock)}`}
        onClick={() => onChoose(change.id)}
      >
        Choose
      </button>
    );
  }
  const drop = () => void changeQueue.drop(change.id);
  if (change.problem) {
    return (
      <button
        className="btn btn--secondary btn--sm"
        type="button"
        aria-label={`OK, drop it: ${changeInWords(change, clock)}`}
        onClick={drop}
      >
        OK
      </button>
    );
  }
  return (
    <button
      className="btn btn--icon btn--quiet"
      type="button"
      aria-label={removeLabel(change, clock)}
      onClick={drop}
    >
      <Icon name="trash-2" />
    </button>
  );
}

type ChooseProps = Readonly<{ choice: Choice; onMine(): void; onTheirs(): void }>;

/** The question which of two changes holds: the tradie's own is preset. */
function Choose({ choice, onMine, onTheirs }: ChooseProps) {
  const [isMine, setMine] = useState(true);
  const name = useId();
  const { mine, theirs } = choice;
  const taken = isMine ? mine : theirs;
  return (
    <>
      <div className="panel__body queue__body">
        <p>
          <span>{`${choice.intro} `}</span>
          <b>{choice.job}</b>
          <span>.</span>
        </p>
        <fieldset className="queue__sides">
          <legend className="sr">{choice.title}</legend>
          {[mine, theirs].map((side) => (
            <label key={side.whose} className="row">
              <span className="row__text">
                <strong className="as-typed">{side.value}</strong>
                <span className="row__note">{side.whose}</span>
              </span>
              <input
                type="radio"
                name={name}
                checked={side === taken}
                // The first thing of the question has the focus as it takes the place of the queue.
                ref={side === mine ? focusOnce : null}
                onChange={() => setMine(side === mine)}
              />
            </label>
          ))}
        </fieldset>
        <p className="queue__follows" role="status">
          <Icon name="triangle-alert" />
          <span>{taken.follows}</span>
        </p>
      </div>
      <div className="panel__foot queue__foot">
        <button className="btn btn--primary btn--lg" type="button" onClick={isMine ? onMine : onTheirs}>
          {taken.take}
        </button>
      </div>
    </>
  );
}

const focusOnce = (input: HTMLInputElement | null) => input?.focus();
