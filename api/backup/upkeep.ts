import type { BackupTarget } from '#api/providers/backup-target.ts';
import { type NoteVerifier, noteSigner, openNote, signNote } from '#core/crypto/note.ts';
import { instantOfManifest, listManifests, type Manifest } from './manifest.ts';
import { BackupError } from './objects.ts';

/** Names at the top of a target, outside of anything dated. */
export const LEDGER = 'erasures.log';
export const CHECKPOINTS = 'checkpoints.txt';

/** Says when a restore from this target was last tried: a note that the machine with the identity signs. */
const DRILL = 'drill.txt';
const DRILL_TITLE = 'ute-drill/1';

/** Newest checkpoints that are stored beside a backup, in bytes. */
const CHECKPOINT_BYTES = 64 * 1024;

const DAY = 24 * 60 * 60_000;
const HOUR = 60 * 60_000;
/** How long things stay, in milliseconds. Whole segments of the log stay for ever, files until the product removes them. */
const LIFE = { keys: 7 * DAY, state: 14 * DAY, everyManifest: DAY } as const;

/**
 * Stores the ledger of erasures, which only grows. Throws BackupError, and leaves the target's, when that has lines which
 * this one lacks: then people would come back.
 */
export async function copyLedger(target: BackupTarget, ledger: Buffer | null): Promise<void> {
  if (ledger === null) return;
  const there = await target.get(LEDGER);
  const stored = Buffer.from(there ?? []);
  if (there !== null && stored.equals(ledger)) return;
  if (!ledger.subarray(0, stored.length).equals(stored))
    throw new BackupError(
      `${LEDGER} of the backup has lines that ERASURES_TO lacks: restore that file from the backup first.`,
    );
  await target.put(LEDGER, ledger);
}

/** Stores the newest checkpoints of the log. */
export async function copyCheckpoints(target: BackupTarget, checkpoints: Buffer): Promise<void> {
  if (checkpoints.length === 0) return;
  const tail = checkpoints.subarray(-CHECKPOINT_BYTES);
  const stored = await target.get(CHECKPOINTS);
  if (!stored || !Buffer.from(stored).equals(tail)) await target.put(CHECKPOINTS, tail);
}

/** Notes in the target that a restore of a backup went well. `logKey` signs it (32 bytes). */
export async function noteDrill(
  target: BackupTarget,
  { manifest, at, logKey }: Readonly<{ manifest: Manifest; at: Date; logKey: Buffer }>,
): Promise<void> {
  const text = `${DRILL_TITLE}\n${at.toISOString()}\n${manifest.n}\n`;
  await target.put(DRILL, Buffer.from(signNote(text, [noteSigner('ute-drill', logKey)], at), 'utf8'));
}

/** When the last drill went well; null where there was none, or its note is signed by none of these. */
export async function readDrill(target: BackupTarget, logKeys: readonly Buffer[]): Promise<Date | null> {
  const bytes = await target.get(DRILL);
  const verifiers: NoteVerifier[] = logKeys.map((key) => noteSigner('ute-drill', key).verifier);
  const note = bytes && openNote(Buffer.from(bytes).toString('utf8'), verifiers);
  const [title, at = ''] = note?.text.split('\n') ?? [];
  const instant = new Date(at);
  const isOurs = note && note.signatures.length > 0 && title === DRILL_TITLE;
  return isOurs && !Number.isNaN(instant.getTime()) ? instant : null;
}

/**
 * Removes what is too old: keys after 7 days, state and small segments of the log after 14, manifests of an hour but its
 * last after a day. What `newest` names stays.
 */
export async function removeOld(target: BackupTarget, newest: Manifest, now: Date): Promise<void> {
  const named = new Set(
    [...newest.log.segments, ...newest.keys.full, ...newest.keys.changes, ...newest.state.objects].map(
      ({ name }) => name,
    ),
  );
  named.add(newest.files.list.name);
  const isOld = (name: string, life: number) => {
    const at = instantIn(name);
    return at !== null && now.getTime() - at.getTime() > life && !named.has(name);
  };
  const old = [
    ...(await target.list('keys/')).filter((name) => isOld(name, LIFE.keys)),
    ...(await target.list('state/')).filter((name) => isOld(name, LIFE.state)),
    ...(await target.list('file-lists/')).filter((name) => isOld(name, LIFE.state)),
    ...(await target.list('log/')).filter((name) => name.includes('/pieces/') && isOld(name, LIFE.state)),
    ...oldManifests(await listManifests(target), now),
  ];
  for (const name of old) await target.remove(name);
}

function oldManifests(names: readonly string[], now: Date): string[] {
  return names.filter((name, index) => {
    const [at, next] = [instantOfManifest(name), names[index + 1]];
    // The newest stays, however old it is.
    if (at === null || next === undefined) return false;
    const age = now.getTime() - at.getTime();
    if (age > LIFE.state) return true;
    const following = instantOfManifest(next);
    return age > LIFE.everyManifest && following !== null && hourOf(following) === hourOf(at);
  });
}

const hourOf = (at: Date) => Math.floor(at.getTime() / HOUR);

/** The instant in a name such as `keys/20261123T091500123Z-full-0.ndjson.zst.age`; null where there is none. */
function instantIn(name: string): Date | null {
  const [, year, month, day, hour, minute, second, ms] =
    /\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z[-.]/.exec(name) ?? [];
  return year ? new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`) : null;
}
