import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { saveFile } from '#site/lib/files.ts';
import { type AnswerOf, ApiError, request } from '#site/lib/http/api.ts';
import { query, useQuery } from '#site/lib/http/query.ts';
import { copyText } from '#site/lib/secure/sharing.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatMoment } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { PartsLoading } from '#site/ui/PanelStates.tsx';
import { toast } from '#site/ui/toast/toast.ts';

type Checkpoint = AnswerOf<'GET', '/checkpoints/latest'>['checkpoint'];
type Earlier = AnswerOf<'GET', '/checkpoints'>['checkpoints'];

/** The newest checkpoint, null before the first, those before it, newest first, and the key that they are signed with. */
const proofQuery = query('proof', async (signal) => {
  const [checkpoint, { checkpoints }, { keys }] = await Promise.all([
    newestCheckpoint(signal),
    request('GET', '/checkpoints', { signal }),
    request('GET', '/checkpoints/key', { signal }),
  ]);
  return {
    checkpoint,
    earlier: checkpoints.filter(({ size }) => checkpoint && size < checkpoint.size),
    key: keys.findLast(({ kind }) => kind === 'signature')?.vkey ?? null,
  };
});

async function newestCheckpoint(signal: AbortSignal): Promise<Checkpoint | null> {
  try {
    return (await request('GET', '/checkpoints/latest', { signal })).checkpoint;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** What shows that the history of the jobs was not rewritten. Content of the panel of that name. */
export function ProofOfRecords() {
  const { data, status, error } = useQuery(proofQuery);
  return (
    <div className="panel__body">
      {data ? (
        <>
          <p className="muted">
            If a customer says it went differently, you can show what happened on a job and when. Nobody can
            change it later without that showing, and that goes for you and us as well.
          </p>
          <p>Open the job and save its record. It is a file that you can hand to anyone.</p>
          <section className="settings__part" aria-labelledby="board-as-it-stood">
            <h3 id="board-as-it-stood">Your jobs as they stood</h3>
            <p className="muted">Look at all your jobs as they were at a moment of your choice.</p>
            <a className="btn btn--secondary" href="/jobs/as-at">
              <Icon name="history" />
              <span>Choose a moment</span>
            </a>
          </section>
          <section className="settings__part" aria-labelledby="check-a-record">
            <h3 id="check-a-record">Check a job record</h3>
            <p className="muted">
              Drop the file there to see that nothing in it was changed. The page sends nothing anywhere.
            </p>
            <a className="btn btn--secondary" href="/check" target="_blank" rel="noopener">
              <Icon name="shield" />
              <span>Open the check page</span>
            </a>
          </section>
          <details className="settings__part lawyer">
            <summary>For your lawyer</summary>
            <p className="muted">
              Everything that happens to your jobs is written to a log. A checkpoint is a signed line about
              the whole log. What was written before it cannot be changed later without that showing.
            </p>
            {data.checkpoint ? (
              <NewestCheckpoint checkpoint={data.checkpoint} />
            ) : (
              <p>No checkpoint was signed yet. The first one follows within a minute or two.</p>
            )}
            {data.earlier.length > 0 && <EarlierCheckpoints checkpoints={data.earlier} />}
            {data.key && <PublicKey vkey={data.key} />}
          </details>
        </>
      ) : (
        <PartsLoading {...{ status, error }} onAgain={proofQuery.refresh} />
      )}
    </div>
  );
}

function NewestCheckpoint({ checkpoint }: { checkpoint: Checkpoint }) {
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone ?? 'UTC';
  const { note, origin, root, signedAt, size } = checkpoint;
  return (
    <section className="settings__part" aria-labelledby="newest-checkpoint">
      <h3 id="newest-checkpoint">Newest checkpoint</h3>
      <dl className="defs proof">
        <div>
          <dt>Signed</dt>
          <dd>{formatMoment(signedAt, timeZone, new Date())}</dd>
        </div>
        <div>
          <dt>Log</dt>
          <dd>{origin}</dd>
        </div>
        <div>
          <dt>Events in it</dt>
          <dd className="num">{size}</dd>
        </div>
        <div>
          <dt>Root</dt>
          <dd className="proof__code">{root}</dd>
        </div>
      </dl>
      <p className="muted">
        Keep it in a place of your own: a record that is checked later is compared with it.
      </p>
      <button className="btn btn--secondary" type="button" onClick={() => saveNote(size, note)}>
        <Icon name="download" />
        <span>Save the checkpoint</span>
      </button>
    </section>
  );
}

const saveNote = (size: number, text: string) =>
  saveFile({ name: `checkpoint-${size}.txt`, text, type: 'text/plain' });

/** How many earlier checkpoints are shown at first, and more at a press. */
const AT_ONCE = 10;

function EarlierCheckpoints({ checkpoints }: { checkpoints: Earlier }) {
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone ?? 'UTC';
  const [shown, setShown] = useState(AT_ONCE);
  const save = async (size: number) => {
    try {
      saveNote(size, (await request('GET', `/checkpoints/${size}`)).checkpoint.note);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast.error(error.message, { title: 'The checkpoint was not saved' });
    }
  };
  return (
    <section className="settings__part" aria-labelledby="earlier-checkpoints">
      <h3 id="earlier-checkpoints">Earlier checkpoints</h3>
      <p className="muted">One from before a job changed shows that its history is the same since.</p>
      <ul className="proof__earlier">
        {checkpoints.slice(0, shown).map(({ size, signedAt }) => (
          <li key={size}>
            <span>
              <span>{formatMoment(signedAt, timeZone, new Date())}</span>
              <br />
              <span className="muted num">{`${size} events`}</span>
            </span>
            <button
              className="btn btn--secondary btn--sm"
              type="button"
              aria-label={`Save the one of ${size} events`}
              onClick={() => void save(size)}
            >
              <Icon name="download" />
              <span>Save</span>
            </button>
          </li>
        ))}
      </ul>
      {shown < checkpoints.length && (
        <button
          className="btn btn--secondary"
          type="button"
          onClick={() => setShown((before) => before + AT_ONCE)}
        >
          Show more
        </button>
      )}
    </section>
  );
}

/** The eight hex digits in the middle of a key. */
const shortId = (vkey: string) => vkey.split('+')[1];

function PublicKey({ vkey }: { vkey: string }) {
  const title = 'Public key';
  const copy = async () => {
    if (await copyText(vkey))
      toast.success('The public key was copied to clipboard', { title, icon: 'copy' });
    else toast.error('Your browser did not let us copy it. Select it and copy it by hand', { title });
  };
  return (
    <section className="settings__part" aria-labelledby="public-key">
      <h3 id="public-key">{title}</h3>
      <p className="muted">
        {`Checkpoints and records are signed with it. Receipts name it by its short id, ${shortId(vkey) ?? ''}. Hand the whole key to those who check a record: who has it can check all of it.`}
      </p>
      <p className="proof__code">{vkey}</p>
      <button className="btn btn--secondary" type="button" onClick={() => void copy()}>
        <Icon name="copy" />
        <span>Copy the key</span>
      </button>
    </section>
  );
}
