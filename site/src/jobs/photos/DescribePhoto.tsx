import '#site/ui/chips.css';
import './job-photos.css';
import { useId, useRef, useState } from 'react';
import { photoLimits, photoStageLabels, photoStages } from '#core/job/photos/photo-stages.ts';
import type { JobView } from '#core/job/view.ts';
import type { PhotoDescription } from '#site/jobs/changes/photo-queue.ts';
import { storeJob } from '#site/jobs/job-stores.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { takeAtMost } from '#site/ui/form/text-limit.ts';
import { Sheet } from '#site/ui/Sheet.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import type { Photo } from './photos-of.ts';

type Props = Readonly<{ jobId: string; work: NonNullable<Photo['work']>; onClose(): void }>;

/** When a photo of the work was taken, and what it shows. */
export function DescribePhoto({ jobId, work, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [description, setDescription] = useState<PhotoDescription>({
    stage: work.stage,
    caption: work.caption,
  });
  const [isSaving, setSaving] = useState(false);
  // Closed once it is saved: what was typed is not lost in a dead spot.
  async function save(): Promise<void> {
    setSaving(true);
    const isSaved = await describePhoto(jobId, {
      ...work,
      ...description,
      caption: description.caption.trim(),
    });
    setSaving(false);
    if (isSaved) dialog.current?.close();
  }
  return (
    <Sheet title="What this photo shows" dialog={dialog} onClose={onClose}>
      <div className="panel__body">
        <WhatPhotosShow description={description} legend="Taken" onChange={setDescription} />
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

type FieldsProps = Readonly<{
  description: PhotoDescription;
  legend: string;
  onChange(description: PhotoDescription): void;
}>;

/** When photos were taken, and what they show. */
export function WhatPhotosShow({ description, legend, onChange }: FieldsProps) {
  const id = useId();
  return (
    <>
      <fieldset className="photo-stage">
        <legend className="field__label">{legend}</legend>
        <div className="chips">
          {photoStages.map((stage) => (
            <label key={stage} className="chip">
              <input
                type="radio"
                name={`${id}-stage`}
                checked={stage === description.stage}
                onChange={() => onChange({ ...description, stage })}
              />
              <span>{photoStageLabels[stage]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="field">
        <label className="field__label" htmlFor={id}>
          <span>Caption</span>
          <span className="field__optional"> (optional)</span>
        </label>
        <input
          className="input"
          id={id}
          value={description.caption}
          onChange={takeAtMost(photoLimits.caption, (caption) => onChange({ ...description, caption }))}
        />
      </div>
    </>
  );
}

type Work = NonNullable<Photo['work']>;

/** Says anew what a photo of the work shows; false where that failed, which is shown. */
export function describePhoto(jobId: string, work: Work): Promise<boolean> {
  return attempt(work, { done: 'Photo saved', failed: 'Not saved' }, () => describe(jobId, work));
}

/** Removes a photo of the work, with Undo: its bytes wait a day on the server. */
export async function removePhoto(jobId: string, work: Work): Promise<void> {
  const undo = () =>
    attempt(work, { done: 'The photo is back', failed: 'Not undone' }, () => describe(jobId, work));
  await attempt(work, { done: 'Photo removed', failed: 'Not removed', undo }, () =>
    request('DELETE', `/jobs/${jobId}/photos/${work.id}`),
  );
}

const describe = (jobId: string, { id, stage, caption }: Work) =>
  request('POST', `/jobs/${jobId}/photos/${id}`, { body: { stage, caption } });

type Words = Readonly<{ done: string; failed: string; undo?: () => unknown }>;

/** Changes a photo and shows what came of it, in the one place for toasts of this photo. */
async function attempt(
  { id }: Work,
  { done, failed, undo }: Words,
  change: () => Promise<{ job: JobView }>,
): Promise<boolean> {
  const slot = `photo:${id}`;
  try {
    const { job } = await change();
    storeJob(job);
    toast.success(done, { slot, ...(undo && { undo }) });
    return true;
  } catch (error) {
    const message = error instanceof ApiError ? error.message : unknownFailure;
    toast.error(message, { title: failed, slot });
    return false;
  }
}
