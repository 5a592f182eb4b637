import type { Position } from '#core/event-store/port.ts';
import { toBase64 } from '#core/proof/base64.ts';
import { openNote, readCheckpoint } from '#core/proof/note.ts';
import { readProofStatus } from '#projections/proof/read.ts';
import { checkpointOf, statementKeyOf } from '#projections/proof/statements.ts';
import type { ComposingDeps } from './message-kind.ts';

/**
 * `Log 4400123 · <root in base64>` of a checkpoint that has the event at `position`: a mail in a mailbox shows later
 * whether the log was rewritten. Null where nothing signs, or no checkpoint came within about two seconds.
 */
export async function logLine(
  { config, db, newId }: Pick<ComposingDeps, 'config' | 'db' | 'newId'>,
  position: Position,
): Promise<string | null> {
  const { signed, stopped } = await readProofStatus(db);
  if (signed === null || stopped !== null) return null;
  const key = statementKeyOf(config.keys.data);
  const note = await checkpointOf(db, key, newId, position);
  const body = note === null ? null : readCheckpoint(openNote(note, [])?.text ?? '');
  return body && `Log ${body.size} · ${toBase64(body.root)}`;
}
