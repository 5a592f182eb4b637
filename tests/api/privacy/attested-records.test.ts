import { afterAll, beforeAll, expect, test } from 'vitest';
import { attestOnce } from '#api/proof/attestations/attest.ts';
import { httpTimestampAuthority, httpWitness } from '#api/proof/attestations/attesters.ts';
import { readProofKeys } from '#api/proof/read.ts';
import { type NoteVerifier, openNote } from '#core/crypto/note.ts';
import { checkRecord } from '#core/proof/check.ts';
import { readGiven } from '#core/proof/check-log.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { timestampServer, witnessServer } from '#tests/support/log/proof-stage.ts';
import { secondCheck } from '#tests/support/log/second-check.ts';
import { issueRecord, signForRecords, signLog } from '#tests/support/operations/record-recipes.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let owner: SignedIn;
let keys: readonly NoteVerifier[] = [];
let now = new Date('2026-11-23T00:00:00Z');
const witness = witnessServer('witness.example/w', 31, () => keys);
const authority = timestampServer();

beforeAll(async () => {
  app = await testApp({ now: () => now, env: { CHECKPOINTS: 'public' } });
  owner = await app.signIn();
});
afterAll(async () => {
  await Promise.all([witness.stop(), authority.stop()]);
  await app?.close();
});

/** Signs the log two minutes later. */
function sign(): Promise<number> {
  now = new Date(now.getTime() + 120_000);
  return signLog(app);
}

/** Has the witness and the authority attest to the newest checkpoint. */
async function attest(): Promise<void> {
  keys = await readProofKeys(app.everyRow);
  const { readLeaves } = app.deps;
  const asked = {
    ...{ pool: app.everyRow, log: { readLeaves }, connectionString: '', now: () => now },
    witnesses: [httpWitness(witness.url, witness.verifier)],
    authority: httpTimestampAuthority(authority.url),
  };
  await attestOnce(asked, silentLog);
}

test('a record of what a witness has seen is backed up by the key of the witness alone, but for its statement', async () => {
  const jobId = await requestedJob(app, owner);
  await sign();
  await attest();
  const younger = await requestedJob(app, owner);
  await sign();
  signForRecords(app);
  const { text, record } = await issueRecord(owner, jobId);
  expect(record.attested).toEqual([expect.objectContaining({ timestamps: [expect.anything()] })]);
  expect(record.attested?.[0]?.proof).not.toEqual([]);
  const checked = checkRecord(text, readGiven(witness.verifier.vkey));
  expect(checked.findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(checked).toMatchObject({ outcome: 'fits-in-part', vouched: record.events.length });
  expect(secondCheck(Buffer.from(text), { keys: [witness.verifier.vkey] })?.unconfirmed).toEqual([]);
  expect((await issueRecord(owner, younger)).record.attested).toBeUndefined();
});

test('a checkpoint is answered with the line of the witness, and the first of a day with its time stamp', async () => {
  const { checkpoints } = (await app.get('/api/checkpoints')).body;
  const oldest = checkpoints.at(-1).size;
  const { checkpoint } = (await app.get(`/api/checkpoints/${oldest}`)).body;
  const opened = openNote(checkpoint.note, [...keys, witness.verifier]);
  expect(opened?.signatures.map(({ name }) => name)).toContain('witness.example/w');
  expect(checkpoint.timestamps).toEqual([{ by: authority.url.href, token: expect.any(String) }]);
  const token = Buffer.from(checkpoint.timestamps[0].token, 'base64');
  expect(token.includes(Buffer.from(authority.stamped[0] ?? '', 'hex'))).toBe(true);
});

test('the newest checkpoint may still get the line of a witness: it is stored briefly', async () => {
  const { body, headers } = await app.get('/api/checkpoints/latest');
  expect(headers.get('cache-control')).toBe('public, max-age=5');
  const { size } = body.checkpoint;
  const latest = await app.get(`/api/checkpoints/${size}`);
  expect(latest.headers.get('cache-control')).toBe('public, max-age=5');
});
