import { instantWords } from '#core/values/instant-words.ts';
import type { MessageKind } from './events.ts';
import type { StoryEntry } from './story.ts';

/** The names of the messages, as on their buttons. */
export const messageLabels: Record<MessageKind, string> = {
  'on-my-way': 'On my way',
  'running-late': 'Running late',
};

/** An entry as a sentence, `who` in front: "Dave moved the job from … to …". Times are those of the zone. */
export function storyWords(entry: StoryEntry, who: string, timeZone: string): string {
  return `${who} ${entry.undo ? 'undid a change: ' : ''}${deed(entry, (at) => instantWords(at, timeZone))}`;
}

function deed(entry: StoryEntry, when: (instant: string) => string): string {
  switch (entry.what) {
    case 'requested':
      return 'asked for this job';
    case 'ordered':
      return 'sent this work order';
    case 'added':
      return 'added this job';
    case 'opened':
      return 'opened the job';
    case 'contact-seen':
      return 'saw the contact details while the job was accepted';
    case 'not-needed':
      return 'said that this job is no longer needed';
    case 'accepted':
      return 'accepted the job';
    case 'rejected':
      return 'rejected the job';
    case 'status':
      return `changed the status from ${entry.from} to ${entry.to}`;
    case 'schedule':
      return moved(entry.from && when(entry.from), entry.to && when(entry.to));
    case 'notes':
      return entry.to === '' ? 'cleared the notes' : entry.from === '' ? 'wrote notes' : 'changed the notes';
    case 'message':
      return `opened a message: ${messageLabels[entry.to]}`;
    case 'unreadable':
      return 'did something that cannot be read';
    default:
      return entry satisfies never;
  }
}

function moved(from: string | null, to: string | null): string {
  if (to === null) return `took the job off the schedule, it was ${from}`;
  return from === null ? `scheduled the job for ${to}` : `moved the job from ${from} to ${to}`;
}
