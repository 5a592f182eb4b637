import { startEmbeddedPostgres } from '#api/providers/database/embedded-postgres.ts';

/** A process of its own that starts the server on the folder it is given, prints the url and holds on until its input ends. */
const [dataDir = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dataDir });
console.log(server.url);
for await (const _ of process.stdin);
await server.stop();
process.exit(0);
