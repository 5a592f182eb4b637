import './notes-field.css';
import { useStore } from '@nanostores/react';
import { useEffect, useId } from 'react';
import type { JobView } from '#core/job/view.ts';
import { jobNotesLength } from '#core/values/job-form.ts';
import { formatTime } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { NotesState } from './notes-editor.ts';
import { $notesUndo, beginEdit, notesEditor } from './notes-store.ts';

/** The tradie's own notes, saved as they pause or leave the field. */
export function NotesField({ job, timeZone }: { job: JobView; timeZone: string }) {
  const id = useId();
  const editor = notesEditor(job);
  const notes = useStore(editor.$notes);
  const undo = useStore($notesUndo, { keys: [job.id], ssr: 'initial' })[job.id];
  useEffect(() => editor.meet(job), [editor, job]);
  const isQuiet = notes.phase === 'typing' || notes.phase === 'saving';
  return (
    <div className="field jd__notes">
      <label className="field__label" htmlFor={id}>
        Notes
      </label>
      <textarea
        className="textarea"
        id={id}
        rows={5}
        maxLength={jobNotesLength}
        value={notes.text}
        aria-describedby={`${id}-saved`}
        onChange={(event) => editor.type(event.target.value)}
        onFocus={() => beginEdit(job.id)}
        onBlur={() => void editor.save()}
      />
      <div className="notes-saved">
        <p className="field__hint saved" id={`${id}-saved`} aria-live={isQuiet ? 'off' : 'polite'}>
          {notes.phase === 'saved' && notes.savedAt && <Icon name="check" className="icon--sm" />}
          {savedInWords(notes, timeZone)}
        </p>
        {undo && notes.phase === 'saved' && (
          <button type="button" className="notes-saved__undo" onClick={() => void undo()}>
            Undo
          </button>
        )}
      </div>
      {notes.phase === 'conflict' && (
        <div className="alert alert--warning" role="alert">
          <Icon name="triangle-alert" />
          <div className="notes-conflict">
            <strong>These notes were changed elsewhere while you typed</strong>
            <blockquote className="as-typed">{notes.theirs || 'They are empty now.'}</blockquote>
            <div className="notes-conflict__do">
              <button
                type="button"
                className="btn btn--primary btn--sm"
                onClick={() => void editor.saveMine()}
              >
                Save mine instead
              </button>
              <button type="button" className="btn btn--secondary btn--sm" onClick={editor.takeTheirs}>
                Use these
              </button>
            </div>
          </div>
        </div>
      )}
    </div>
  );
}

function savedInWords({ phase, savedAt }: NotesState, timeZone: string): string {
  switch (phase) {
    case 'saved':
      return savedAt ? `Saved ${formatTime(new Date(savedAt), timeZone)}` : '';
    case 'typing':
    case 'conflict':
      return 'Not saved yet';
    case 'saving':
      return 'Saving…';
    case 'waiting':
      return 'Not saved. Kept in this tab and sent when you’re back online.';
    case 'limited':
      return 'Not saved yet. Kept in this tab and sent again by itself in a while.';
    case 'refused':
      return 'Not saved';
    default:
      return phase satisfies never;
  }
}
