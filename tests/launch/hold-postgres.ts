import { startEmbeddedPostgres } from '#api/runtime/postgres/embedded-postgres.ts';

/** Starts the server on the folder it is given, prints the url and stops when its input ends; a line makes it leave at once. */
const [dataDir = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dataDir });
console.log(server.adminUrl);
for await (const _ of process.stdin) process.exit(1);
await server.stop();
process.exit(0);
