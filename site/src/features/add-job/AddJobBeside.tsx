import { useStore } from '@nanostores/react';
import { lazy, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { $session } from '#site/lib/session/session-store.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { Sheet } from '#site/ui/Sheet.tsx';
import { $isWide } from '#site/ui/screen-store.ts';
import { FormSkeleton } from './FormSkeleton.tsx';
import { $isFormOpen, closeAfterAdding, showForm } from './form-open-store.ts';

const LazyForm = lazy(async () => {
  const { AddJobForm } = await import('./AddJobForm.tsx');
  return { default: AddJobForm };
});

const title = 'Add new job';

/** The form beside the New list; a sheet over it where there is no room for both. */
export function AddJobBeside() {
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const isOpen = useStore($isFormOpen, { ssr: () => true });
  const isWide = useStore($isWide, { ssr: () => true });
  const dialog = useRef<HTMLDialogElement>(null);
  if (!isOpen) return null;
  const form = timeZone ? <FreshForm timeZone={timeZone} /> : <FormSkeleton isNarrow />;
  return (
    <FaultBoundary>
      {isWide ? (
        <aside className="beside__form" aria-labelledby="add-job-title">
          <div className="section-head">
            <h2 id="add-job-title">{title}</h2>
            <button
              className="btn btn--icon btn--quiet"
              type="button"
              aria-label="Close"
              onClick={() => showForm(false)}
            >
              <Icon name="x" className="icon--lg" />
            </button>
          </div>
          {form}
        </aside>
      ) : (
        <Sheet title={title} dialog={dialog} onClose={() => $isFormOpen.get() && showForm(false)}>
          <div className="panel__body">{form}</div>
        </Sheet>
      )}
    </FaultBoundary>
  );
}

/** The form, and after each job an empty one with the focus in its first field. */
function FreshForm({ timeZone }: Readonly<{ timeZone: string }>) {
  const [round, setRound] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place}>
      <Suspense fallback={<FormSkeleton isNarrow />}>
        <LazyForm
          key={round}
          isNarrow
          timeZone={timeZone}
          announces="here"
          onCreated={(jobId) => {
            closeAfterAdding(jobId);
            flushSync(() => setRound(round + 1));
            place.current?.querySelector('input')?.focus();
          }}
        />
      </Suspense>
    </div>
  );
}
