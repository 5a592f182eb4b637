import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { migrate } from '#migrations/run.ts';

/** Postgres copies a template for one database at a time, and only while nobody is connected to it. */
const cloning = 8_833_003;

/** Makes a migrated database for others to be cloned from; `stop` drops it. */
export async function createTemplate(
  url: string,
): Promise<{ url: string; template: string; stop(): Promise<void> }> {
  const template = `ute_template_${randomBytes(4).toString('hex')}`;
  await onServer(url, (client) =>
    client.query(`create database ${template} encoding 'UTF8' template template0`),
  );
  await migrate(urlOf(url, template));
  return { url, template, stop: () => dropDatabase(url, template) };
}

/** Clones the template into a database of its own and answers its url. */
export async function cloneTemplate(url: string, template: string): Promise<string> {
  const name = `ute_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [cloning]);
    await client.query(`create database ${name} template ${template}`);
  });
  return urlOf(url, name);
}

/** Drops a database, sessions that are still in it included. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await onServer(url, (client) => client.query(`drop database if exists ${name} with (force)`));
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
