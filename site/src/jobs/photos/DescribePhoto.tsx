import '#site/ui/chips.css';
import './add-photo.css';
import { useId, useRef, useState } from 'react';
import { photoLimits, photoStageLabels, photoStages } from '#core/job/photo-stages.ts';
import { Sheet } from '#site/ui/Sheet.tsx';
import { describePhoto } from './change-photo.ts';
import type { Photo } from './photos-of.ts';

type Props = Readonly<{ jobId: string; work: NonNullable<Photo['work']>; onClose(): void }>;

/** When a photo of the work was taken, and what it shows. */
export function DescribePhoto({ jobId, work, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [stage, setStage] = useState(work.stage);
  const [caption, setCaption] = useState(work.caption);
  const [isSaving, setSaving] = useState(false);
  // Closed once it is saved: what was typed is not lost in a dead spot.
  async function save(): Promise<void> {
    setSaving(true);
    const isSaved = await describePhoto(jobId, { ...work, stage, caption: caption.trim() });
    setSaving(false);
    if (isSaved) dialog.current?.close();
  }
  return (
    <Sheet title="What this photo shows" dialog={dialog} onClose={onClose}>
      <div className="panel__body">
        <fieldset className="photo-stage">
          <legend className="field__label">Taken</legend>
          <div className="chips">
            {photoStages.map((one) => (
              <label key={one} className="chip">
                <input
                  type="radio"
                  name={`${id}-stage`}
                  checked={one === stage}
                  onChange={() => setStage(one)}
                />
                {photoStageLabels[one]}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="field">
          <label className="field__label" htmlFor={id}>
            Caption<span className="field__optional"> (optional)</span>
          </label>
          <input
            className="input"
            id={id}
            maxLength={photoLimits.caption}
            value={caption}
            onChange={({ target }) => setCaption(target.value)}
          />
        </div>
      </div>
      <div className="panel__foot">
        <button
          className="btn btn--primary btn--lg"
          type="button"
          disabled={isSaving}
          onClick={() => void save()}
        >
          Save
        </button>
      </div>
    </Sheet>
  );
}
