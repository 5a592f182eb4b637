import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { findSession } from '#api/accounts/sessions.ts';
import { createChangeLimit } from '#api/jobs/change-job.ts';
import { createProof } from '#api/proof/proof.ts';
import { configuredRegisters } from '#api/providers/business-register/configured.ts';
import { configuredFiles, type FileStore } from '#api/providers/files.ts';
import { sealedFiles } from '#api/providers/sealed-files.ts';
import type { Config } from '#api/runtime/config/config.ts';
import type { EventStore } from '#core/event-store/port.ts';
import type { StoredLog } from '#core/event-store/raw-log.ts';
import { createSubjectKeys, type SubjectKeys } from '#core/event-store/subject-keys.ts';
import type { Clock, Database, Deps, Sessions } from './deps.ts';

/** What an installation is opened with. */
export type Opened = Readonly<{
  config: Config;
  logger: Logger;
  /** The database of the application's own login. */
  db: Pool;
  /** What commands append through, and requests read. */
  store: EventStore;
  /** The log as it is stored, which nothing compares. */
  stored: StoredLog;
  /** Without it the wall clock. */
  now?: Clock['now'];
  /** Without it the files that the configuration names. */
  files?: FileStore;
  /** Without it the keys as requests read them. */
  subjectKeys?: SubjectKeys;
}>;

export type Services = Clock &
  Pick<Database, 'db'> &
  StoredLog &
  Sessions &
  Pick<
    Deps,
    'config' | 'logger' | 'store' | 'files' | 'subjectKeys' | 'registers' | 'limitJobChanges' | 'proof'
  >;

/** What the server, `ute` and the tests' app work with alike. */
export function createServices(opened: Opened): Services {
  const {
    config,
    logger,
    db,
    store,
    stored,
    now = () => new Date(),
    files = configuredFiles(config.files),
  } = opened;
  const { readLeaves, readLeafRuns, readStored, readStoredStreams } = stored;
  const subjectKeys = opened.subjectKeys ?? createSubjectKeys({ pool: db, dataKey: config.keys.data });
  const services = {
    readLeaves,
    readLeafRuns,
    readStored,
    readStoredStreams,
    config,
    logger,
    db,
    store,
    now,
    newId: () => Bun.randomUUIDv7(),
    subjectKeys,
    files: sealedFiles({ files, subjectKeys, logger }),
    registers: configuredRegisters(config.businessRegister),
    limitJobChanges: createChangeLimit({ config }),
    findSession,
  };
  return { ...services, proof: createProof(services) };
}
