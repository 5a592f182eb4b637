import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { EventStore } from '#core/event-store/port.ts';
import type { SubjectKeys } from '#core/event-store/subject-keys.ts';
import type { ReadSide } from '#projections/runtime/read-side/read-side.ts';
import type { Stall } from '#projections/runtime/read-side/stalls.ts';
import type { Config } from './config.ts';
import type { StaticFile } from './http/static-files.ts';
import type { Messages } from './messages/sender.ts';
import type { BusinessRows } from './process/business-rows.ts';
import type { FileStore } from './providers/files/files.ts';

/** Everything a route needs from outside. Built once by `main.ts`; tests build their own. */
export type Deps = Readonly<{
  config: Config;
  /** Sees no row of a table with a policy (decision 038): for those, `rowsOf`. */
  db: Pool;
  /** Queries for rows of the business that a request's session belongs to. */
  rowsOf(businessId: string): BusinessRows;
  store: EventStore;
  /** The keys of the people that the log and drafts speak of. */
  subjectKeys: SubjectKeys;
  readSide: ReadSide;
  files: FileStore;
  /** Wall clock. */
  now(): Date;
  /** UUIDv7. */
  newId(): string;
  logger: Logger;
  /** To be woken when something was put into the outbox; absent where another process sends it. */
  messages?: Messages;
  /** Whether read models may miss what happened, because the log they follow is unavailable. Absent: never. */
  isStale?(): boolean;
  /** Which followers of the log stand still although it goes on. Absent: nothing watches them. */
  stalls?(): readonly Stall[];
  /** Aborts when the process begins to drain: readiness says no, open streams end. Absent where nothing stops. */
  stopping?: AbortSignal;
  /** A page in memory that is the same for every visitor, by its slug (lower case), while it is fresh. */
  cachedPage?(slug: string): StaticFile | undefined;
  /** Renders a page for a request that no API route took; absent in API tests. */
  pages?: PageRenderer;
  /** Whether the site has a page or file at a path. Absent: any path may be one. */
  hasPage?(path: string): boolean;
}>;

/** How pages are rendered by Astro. `locals` reach the page as `Astro.locals` (site/src/env.d.ts types them). */
export type PageRenderer = (
  request: Request,
  init: { clientAddress: string; locals?: Record<string, unknown>; status?: number },
) => Promise<Response>;
