import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { CommandContext } from '#core/event-store/handle-command.ts';
import type { EventStore, Position } from '#core/event-store/port.ts';
import type { StoredLog } from '#core/event-store/raw-log.ts';
import type { SubjectKeys } from '#core/event-store/subject-keys.ts';
import type { Region } from '#core/values/region.ts';
import type { RecordAudience, RecordMaker } from '#core/values/stored-details.ts';
import type { ReadSide } from '#projections/runtime/read-side/read-side.ts';
import type { Stall } from '#projections/runtime/read-side/stalls.ts';
import type { BusinessRegisters } from './providers/business-register/configured.ts';
import type { FileStore } from './providers/files.ts';
import type { BusinessRows } from './runtime/business-rows.ts';
import type { Config } from './runtime/config/config.ts';
import type { RequestSpans } from './runtime/telemetry/port.ts';

/** Time and identity. */
export type Clock = Readonly<{
  /** Wall clock. */
  now(): Date;
  /** UUIDv7. */
  newId(): string;
}>;

/** The database of the application's own login. */
export type Database = Readonly<{
  /** Sees no row of a table with a policy (decision 038): for those, `rowsOf`. */
  db: Pool;
  /** Queries for rows of the business that a request's session belongs to. */
  rowsOf(businessId: string): BusinessRows;
}>;

/** What happened, and what is read from it. */
export type EventLog = Readonly<{
  store: EventStore;
  /** The keys of the people that the log and drafts speak of. */
  subjectKeys: SubjectKeys;
  readSide: ReadSide;
}> &
  /** For proofs from the tree over the log, and for records of jobs. */
  StoredLog;

/** Lets the sender of this process read the outbox at once. */
export type Messages = Readonly<{ notify(): void }>;

/** How this process is, as health, metrics and read answers say it. */
export type ProcessState = Readonly<{
  /** Whether read models may miss what happened, because the log they follow is unavailable. Absent: never. */
  isStale?(): boolean;
  /** Which followers of the log stand still although it goes on. Absent: nothing watches them. */
  stalls?(): readonly Stall[];
  /** Aborts when the process begins to drain: readiness says no, open streams end. Absent where nothing stops. */
  stopping?: AbortSignal;
}>;

/** Spans of requests; absent where no collector is configured. */
export type Traces = Readonly<{ requestSpans?: RequestSpans | undefined }>;

/** The site's pages, where this process serves them. */
export type Pages = Readonly<{
  /** A page in memory that is the same for every visitor, by its slug (lower case), while it is fresh. */
  cachedPage?(slug: string): StaticFile | undefined;
  /** Renders a page for a request that no API route took; absent in API tests. */
  pages?: PageRenderer;
  /** Whether the site has a page or file at a path. Absent: any path may be one. */
  hasPage?(path: string): boolean;
  /** Whether a path leads to a page that is rendered for its request. Absent: none does. */
  rendersPage?(path: string): boolean;
}>;

/** A place of the log: how many events there were, and the position of the last one. */
export type Moment = Readonly<{ size: number; position: Position }>;

/** How the proof of the log stands, for health, metrics and people. */
export type ProofStatus = Readonly<{
  /** Leaves of the tree. */
  size: number;
  /** Why it goes no further; null while it does. */
  stopped: string | null;
  /** The newest checkpoint; null before the first. */
  signed: Readonly<{ size: number; at: Date }> | null;
  /** The last audit of the whole log: null before the first; `fault` is the first thing that did not fit. */
  audited: Readonly<{ size: number; at: Date; fault: string | null }> | null;
}>;

/** A checkpoint that goes out in a mail: the note with the lines of witnesses, and the newest key that signs the log, whole and for short. */
export type MailedCheckpoint = Readonly<{
  size: number;
  note: string;
  key: Readonly<{ id: string; vkey: string }>;
}>;

/** `at` leaves out what came after that moment, `upTo` what came after that revision; `anchors` are sizes of checkpoints that the reader holds beside those that were mailed. */
export type WantedRecord = Readonly<{
  businessId: string;
  jobId: string;
  audience: RecordAudience;
  by: RecordMaker;
  at: Date | null;
  upTo: number | null;
  anchors: readonly number[];
}>;

/** `record` is the text of the file, byte for byte. */
export type IssuedRecord = Readonly<{ fileName: string; record: string }>;

/** The text of a record, in UTF-8: `start`, and then `end`. */
export type RecordText = Readonly<{ start: Uint8Array; end: string }>;

/** Makes signed records of jobs for their owner, all of the log as one checkpoint states it. None is noted in a job's history. */
export type ManyRecords = Readonly<{
  /** The checkpoint as it was signed. */
  note: string;
  /**
   * The records of at most `mostRecords` jobs, by their ids, good until the next but one are asked for. `hashOf` answers the SHA-256 of a
   * file's bytes in hex, null where they are gone. Left out are another business's jobs, those that came after the checkpoint, those with
   * an event that cannot be opened, and all once nothing has signed in time.
   */
  make(
    jobIds: readonly string[],
    hashOf: (fileId: string) => Promise<string | null>,
  ): Promise<ReadonlyMap<string, RecordText>>;
}>;

/** What other rooms take of the proof: the tree over the log, which signed checkpoints vouch for, and what it shows of single jobs. */
export type LogProof = Readonly<{
  /** How far the log was at an instant; null where the tree has not come so far. */
  findMoment(at: Date): Promise<Moment | null>;
  status(): Promise<ProofStatus>;
  /** The newest checkpoint as it was signed; null before the first. */
  newestNote(): Promise<string | null>;
  /** The newest `most` checkpoints that are outside of the database, as text, oldest first; empty where none is written there. */
  recentNotes(most: number): Promise<string>;
  /**
   * `Log 4400123 · <root in base64> · key <id>` of a checkpoint that has the event at `position`, and the newest key that signed it: a mail
   * in a mailbox shows later whether the log was rewritten. Notes that it went out for this job. Null where nothing signs, or no checkpoint
   * came within about two seconds.
   */
  receiptLine(jobId: string, position: Position): Promise<string | null>;
  /** The newest checkpoint for a mail to a business, and notes that it went out; null before the first. */
  mailedCheckpoint(businessId: string | null): Promise<MailedCheckpoint | null>;
  /**
   * Makes the signed record of a job, and notes in its history that it was made, before it is handed over. `turn` is as a gate takes it.
   * Throws NotFoundError, also for another business's job and a moment before it came, a 503 where no process signs in time, 429 where too
   * many are being made, and 408 once the client has gone; then nothing is noted.
   */
  issueRecord(
    wanted: WantedRecord,
    context: Omit<CommandContext, 'commandId'> &
      Readonly<{ turn?: Readonly<{ source: string | null; signal?: AbortSignal }> }>,
  ): Promise<IssuedRecord>;
  /** Records that are asked for at once, at most. */
  mostRecords: number;
  /** Records of many jobs by a checkpoint that has the event at `position`; `onRecords` is called after each few of them. Null where nothing signs. */
  openRecords(
    given: Readonly<{ businessId: string; position: Position; onRecords(amount: number): void }>,
  ): Promise<ManyRecords | null>;
}>;

/** Who is signed in. */
export type Sessions = Readonly<{
  /** The session that a token's claims name, if it is alive at `now`; being asked for keeps it from going idle. */
  findSession(db: Pool, claims: TokenClaims, now: Date): Promise<Session | null>;
}>;

/** A signed-in browser. */
export type Session = Readonly<{ id: string; accountId: string; businessId: string }>;

/** What a bearer token says. */
export type TokenClaims = Readonly<{ accountId: string; sessionId: string }>;

/** In which country a business is, and on whose clocks: `timeZone` is IANA. */
export type Place = Readonly<{ region: Region; timeZone: string }>;

/** Where businesses are, cached until they change. */
export type Whereabouts = Readonly<{
  /** Where the business of an account is. Throws NotFoundError for an account that is not there. */
  of(session: Session): Promise<Place>;
  /** Reads anew where a business is that was just changed: what tells other processes may come a moment after the answer. */
  forget(businessId: string): void;
}>;

/** Everything that routes are made with. Built once by `main.ts`; tests build their own. Below a `routes.ts`, take a part. */
export type Deps = Clock &
  Database &
  EventLog &
  ProcessState &
  Pages &
  Sessions &
  Traces &
  Readonly<{
    config: Config;
    files: FileStore;
    /** The registers of businesses, which remember for all who ask what one of them found. */
    registers: BusinessRegisters;
    whereabouts: Whereabouts;
    /** Counts a change of a job before it is made. Throws 429 with Retry-After for too many. */
    limitJobChanges(session: Session, jobId: string): Promise<void>;
    logger: Logger;
    proof: LogProof;
    /** To be woken when something was put into the outbox; absent where another process sends it. */
    messages?: Messages;
  }>;

/** A file of the site, ready to be sent. `encoded` are its compressed forms, by the name of their encoding. */
export type StaticFile = Readonly<{
  bytes: Uint8Array<ArrayBuffer>;
  headers: Readonly<Record<string, string>>;
  encoded: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}>;

/** How pages are rendered by Astro. `locals` reach the page as `Astro.locals` (`PageData` of api/app.ts types them). */
export type PageRenderer = (
  request: Request,
  init: { clientAddress: string; locals?: Record<string, unknown>; status?: number },
) => Promise<Response>;
