import { fromBase64 } from './base64.ts';
import { type CheckpointBody, parseVkey, readCheckpoint } from './note.ts';

/** A checkpoint that the reader was handed; `origin` is null in a receipt, which names none. */
export type GivenCheckpoint = Readonly<{ origin: string | null; size: number; root: Uint8Array }>;

/** What the reader of a record has of the log from elsewhere. */
export type Given = Readonly<{ checkpoints: readonly GivenCheckpoint[]; vkeys: readonly string[] }>;

export const nothingGiven: Given = { checkpoints: [], vkeys: [] };

const NOTE = /^[^\n]+\n(?:0|[1-9]\d{0,15})\n[A-Za-z0-9+/]{43}=\n/gm;
const RECEIPT = /\bLog\s+([1-9]\d{0,15})\s+\S\s+([A-Za-z0-9+/]{43}=)/g;
const VKEY = /[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*/g;

/** The checkpoints, lines of receipts and keys in a text: an attachment, a saved mail, or what was pasted. */
export function readGiven(text: string): Given {
  const lines = text.replaceAll('\r\n', '\n');
  const notes =
    lines
      .match(NOTE)
      ?.flatMap((note): CheckpointBody[] => [readCheckpoint(note)].filter((body) => body !== null)) ?? [];
  const receipts = [...lines.matchAll(RECEIPT)].flatMap(([, size, encoded]): GivenCheckpoint[] => {
    const root = fromBase64(encoded ?? '');
    return root ? [{ origin: null, size: Number(size), root }] : [];
  });
  const vkeys = (lines.match(VKEY) ?? []).filter((vkey) => parseVkey(vkey) !== null);
  return { checkpoints: [...notes, ...receipts], vkeys: [...new Set(vkeys)] };
}
