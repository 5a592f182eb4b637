import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '#api/runtime/postgres/embedded-postgres.ts';
import { newSession } from '#core/postgres/session.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';

const folder = tempFolder('wal');
const marker = 'Maiden-name-of-one-who-was-erased';

/** Its segments, and in how many of them the text stands. */
function lookIntoLog(): { segments: number; found: number } {
  const log = join(folder.path, 'postgres', 'cluster', 'pg_wal');
  const segments = readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const found = segments.filter((name) => readFileSync(join(log, name)).includes(marker));
  return { segments: segments.length, found: found.length };
}

test('the guide says how an administrator writes the write-ahead log over after an erasure', async () => {
  const guide = readFileSync('api/operate/businesses.md', 'utf8');
  const [, statement = ''] = /`(select pg_logical_emit_message[^`]+)`/.exec(guide) ?? [];
  const server = await startEmbeddedPostgres({ dataDir: folder.path, disposable: true });
  const admin = newSession(server.adminUrl, 'test');
  await admin.connect();
  try {
    await admin.query('create table removed (name text)');
    // Segments that were recycled have it too: it is written into five of them.
    for (let segment = 0; segment < 5; segment += 1) {
      await admin.query('insert into removed values ($1)', [marker]);
      await admin.query(statement);
    }
    await admin.query('drop table removed');
    await admin.query('checkpoint');
    const { segments, found } = lookIntoLog();
    expect(found).toBeGreaterThan(0);
    for (let times = 0; times < segments + 1; times += 1) {
      await admin.query(statement);
      await admin.query('checkpoint');
    }
    expect(lookIntoLog().found).toBe(0);
  } finally {
    await admin.end();
    await server.stop();
    folder.remove();
  }
}, 60_000);
