import { startEmbeddedPostgres } from './embedded-postgres.ts';

// Joins the server of a process that went away and, unless others still use it, stops it.
const [, , dataDir = ''] = process.argv;
const { stop } = await startEmbeddedPostgres({ dataDir });
await stop();
