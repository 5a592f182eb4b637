import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintExportToken } from '#api/privacy/export/downloads.ts';
import { startProof } from '#api/proof/follow.ts';
import { noteHandedOut } from '#api/proof/handed-out.ts';
import { type Checkpoint, findCheckpoint } from '#api/proof/read.ts';
import { toBase64 } from '#core/crypto/base64.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { checkRecord } from '#core/proof/check.ts';
import { readGiven } from '#core/proof/check-log.ts';
import { readRecord } from '#core/proof/record.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { secondCheck } from '#tests/support/log/second-check.ts';
import {
  issueRecord,
  proofOptions,
  signForRecords,
  signLog,
} from '#tests/support/operations/record-recipes.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { pdf, unzip } from '#tests/support/scenarios/files.ts';
import { aTicket, requestedJob } from '#tests/support/scenarios/job-requests.ts';

let api: TestApp;
beforeAll(async () => {
  api = await testApp({ env: { CHECKPOINTS: 'public' } });
  signForRecords(api);
  // Before its first checkpoint nothing is asked to sign.
  await api.signIn();
  await signLog(api);
});
afterAll(() => api?.close());

async function exported(app: TestApp, owner: SignedIn): Promise<Map<string, Buffer>> {
  await app.settle();
  const { jti } = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString());
  const token = mintExportToken(app.deps, { id: jti, accountId: owner.accountId });
  const answer = await app.app.handle(new Request(`http://localhost/api/settings/export/${token}`));
  return unzip(await answer.bytes());
}

async function aJob(app: TestApp, owner: SignedIn, status: string, request: object = {}): Promise<string> {
  const id = await requestedJob(app, owner, request);
  if (status === 'Rejected') await owner.put(`/api/jobs/${id}/reject`);
  else await owner.put(`/api/jobs/${id}/accept`);
  if (!['Rejected', 'To quote'].includes(status)) await owner.put(`/api/jobs/${id}`, { status });
  return id;
}

/** The records of an archive, by the ids of their jobs. */
function recordsIn(entries: ReadonlyMap<string, Buffer>): Map<string, string> {
  const texts = [...entries].filter(([name]) => name.startsWith('records/')).map(([, one]) => String(one));
  return new Map(texts.map((text) => [readRecord(text)?.job ?? '', text]));
}

const countsOf = (entries: ReadonlyMap<string, Buffer>) =>
  JSON.parse(String(entries.get('manifest.json'))).counts;

test('each finished job has its signed record, as it is made on its page, and no other job', async () => {
  const owner = await api.signIn({ plan: 'plus' });
  const headers = { 'x-bot-check': await aTicket(api, 'public-form', owner.slug) };
  const path = `/api/public-forms/${owner.slug}/media?name=plan.pdf`;
  const { media } = (await api.send('POST', path, { body: pdf, headers })).body;
  const done = await requestedJob(api, owner, { title: 'Blocked drain', media: [media.id] }, headers);
  await owner.put(`/api/jobs/${done}/accept`);
  await owner.put(`/api/jobs/${done}`, { status: 'Completed' });
  const paid = await aJob(api, owner, 'Paid');
  const lost = await aJob(api, owner, 'Unsuccessful');
  await aJob(api, owner, 'In progress');
  await aJob(api, owner, 'To quote');
  await requestedJob(api, owner);
  const entries = await exported(api, owner);
  const records = recordsIn(entries);
  expect([...records.keys()]).toEqual([done, paid, lost]);
  for (const text of records.values()) {
    const { outcome, findings } = checkRecord(text, readGiven(String(entries.get('checkpoint.txt'))));
    expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(outcome).toBe('fits');
    expect(secondCheck(Buffer.from(text))).not.toBeNull();
  }
  const record = readRecord(records.get(done) ?? '');
  expect(record).toMatchObject({
    made: { by: 'tradie', audience: 'owner' },
    events: [{ type: 'JobRequested' }, { type: 'JobAccepted' }, { type: 'JobStatusChanged' }],
  });
  const name = [...entries.keys()].find((one) => one.startsWith('files/')) ?? '';
  const manifest = JSON.parse(String(entries.get('manifest.json')));
  const stated = manifest.entries.find((one: { name: string }) => one.name === name);
  expect(record?.files).toMatchObject([{ sha256: stated.sha256 }]);
  expect(manifest.counts).toMatchObject({ jobs: 6, records: 3, missingRecords: 0 });
  expect(String(entries.get('README.html'))).toContain('3 signed records');
  expect(String(entries.get('README.html'))).toContain('/check"');
  // What was downloaded stands in the history of the business, not in that of each job.
  const events = await api.deps.store.readStream(streamName('job', done));
  expect(events.map(({ type }) => type)).not.toContain('JobRecordIssued');
});

test('a record out of the archive is checked by ute audit check, and one with a flipped byte is refused', async () => {
  const owner = await api.signIn();
  await aJob(api, owner, 'Completed');
  const [[, text = ''] = []] = recordsIn(await exported(api, owner));
  const folder = tempFolder('export-records');
  const file = join(folder.path, 'one.ute-record.json');
  writeFileSync(file, text);
  const right = await runUte({}, 'audit', 'check', file);
  expect([right.code, right.out]).toEqual([0, expect.stringContaining('Nothing backs this record up yet.')]);
  const bytes = Buffer.from(text);
  const at = bytes.indexOf('"revision":1') + '"revision":'.length;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 2, at);
  writeFileSync(file, bytes);
  const wrong = await runUte({}, 'audit', 'check', file);
  expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('This record does not fit.')]);
  folder.remove();
  for (let n = 0; n < 300; n += 1) {
    const flipped = Buffer.from(text);
    const place = Math.floor((n * flipped.length) / 300);
    flipped.writeUInt8(flipped.readUInt8(place) ^ 1, place);
    expect(checkRecord(String(flipped)).outcome, `byte ${place}`).toBe('does-not-fit');
  }
});

test('a record out of the archive is compared with an old receipt and an old mail, as one made alone is', async () => {
  const owner = await api.signIn();
  const holder = `business-${owner.businessId}` as const;
  const papers: Readonly<{ size: number; root: Uint8Array }>[] = [];
  /** The newest checkpoint goes out by a mail about a job, or about the business. */
  async function handOut(about: StreamName): Promise<void> {
    await requestedJob(api, owner);
    await signLog(api);
    const checkpoint = (await findCheckpoint(api.deps.db)) as Checkpoint;
    await noteHandedOut(api.deps.db, about, checkpoint, api.deps.now());
    papers.push(checkpoint);
  }
  const done: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    await handOut(holder);
    const job = await aJob(api, owner, 'Completed');
    await handOut(`job-${job}`);
    done.push(job);
  }
  for (let n = 0; n < 3; n += 1) await handOut(holder);
  const records = recordsIn(await exported(api, owner));
  expect([...records.keys()]).toEqual(done);
  for (const [n, job] of done.entries()) {
    const text = records.get(job) ?? '';
    const { size, root } = papers[2 * n + 1] as (typeof papers)[0];
    const anchors = readRecord(text)?.anchors ?? [];
    const mailed = [papers[4], papers[6], papers[7], papers[8]].map((paper) => paper?.size);
    expect(anchors.map((anchor) => anchor.size)).toEqual(expect.arrayContaining([size, ...mailed]));
    const receipt = `Log ${size} · ${toBase64(root)}`;
    const { outcome, findings, vouched } = checkRecord(text, readGiven(receipt));
    expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(findings.map((one) => one.text)).toContain(
      `It is the log of your checkpoint of ${size} events: nothing in it before was changed since.`,
    );
    const within = readRecord(text)?.events.filter(({ index }) => index < size).length ?? 0;
    expect({ outcome, vouched }).toEqual({
      outcome: within > 0 ? 'fits-in-part' : 'fits-itself',
      vouched: within,
    });
    expect(checkRecord(text, readGiven(`Log ${size} · ${toBase64(root.toReversed())}`)).outcome).toBe(
      'does-not-fit',
    );
    expect(secondCheck(Buffer.from(text))).not.toBeNull();
    const alone = (await issueRecord(owner, job)).record.anchors.map((anchor) => anchor.size);
    expect(alone).toEqual(expect.arrayContaining(anchors.map((anchor) => anchor.size)));
  }
});

test('contact that a status withholds is in no record, nor anything of who was erased', async () => {
  const owner = await api.signIn();
  const turnedDown = await aJob(api, owner, 'Rejected', {
    ...{ name: 'Wilma Withheld', email: 'wilma@withheld.example', phone: '0491 570 158' },
    description: 'Ring me on 0491 570 158',
  });
  const removed = await aJob(api, owner, 'Completed', { name: 'Gone Person', email: 'gone@person.example' });
  const waiting = await aJob(api, owner, 'Paid', { name: 'Going Person', email: 'going@person.example' });
  await owner.post(`/api/jobs/${waiting}/erasure`, { others: [] });
  await api.deps.subjectKeys.destroy(`customer-${removed}`);
  const entries = await exported(api, owner);
  const records = recordsIn(entries);
  expect(records.size).toBe(3);
  for (const text of records.values()) {
    expect(checkRecord(text).outcome).toBe('fits-itself');
    expect(text).not.toMatch(/withheld\.example|0491 ?570 ?158|61491570158|Gone|gone@|going@/);
  }
  expect(records.get(turnedDown)).toContain('Wilma Withheld');
  const erased = readRecord(records.get(removed) ?? '')?.events ?? [];
  expect(
    erased.flatMap(({ openings, stated }) => [...Object.keys(openings), ...Object.keys(stated)]),
  ).toEqual([]);
  expect(erased[0]?.withheld).toMatchObject({ name: 'erased', email: 'erased' });
});

test('an event that cannot be opened costs its own job the record, and the archive says so', async () => {
  const owner = await api.signIn();
  const [sound, damaged] = [await aJob(api, owner, 'Paid'), await aJob(api, owner, 'Paid')];
  await api.settle();
  const subject = `customer-${damaged}`;
  await api.everyRow.query('delete from state.subject_keys where subject = $1', [subject]);
  api.deps.subjectKeys.drop(subject);
  const entries = await exported(api, owner);
  expect([...recordsIn(entries).keys()]).toEqual([sound]);
  expect(countsOf(entries)).toMatchObject({ jobs: 2, records: 1, missingRecords: 1 });
});

test('a key or a log that came after the checkpoint signs no record of it', async () => {
  const app = await testApp();
  try {
    const owner = await app.signIn();
    const job = await aJob(app, owner, 'Completed');
    await app.settle();
    await signLog(app);
    const options = proofOptions(app);
    const { businessId } = owner;
    const [event] = await app.deps.store.readStream(streamName('business', businessId));
    const given = { businessId, position: event?.position ?? '0', onRecords() {} };
    const make = async (keys: typeof options.keys) => {
      const maker = await app.deps.proof.openRecords(given);
      const proof = startProof({ ...options, keys });
      const made = await maker?.make([job], async () => null);
      await proof.stop();
      return made?.size;
    };
    expect(await make(options.keys)).toBe(1);
    expect(await make({ ...options.keys, key: Buffer.alloc(32, 7) })).toBe(0);
  } finally {
    await app.close();
  }
}, 60_000);

test('more records than are signed at once', async () => {
  const owner = await api.signIn();
  const ids: string[] = [];
  for (let n = 0; n < 103; n += 1) ids.push(await aJob(api, owner, 'Rejected'));
  const entries = await exported(api, owner);
  const records = recordsIn(entries);
  expect([...records.keys()]).toEqual(ids);
  const manifest = JSON.parse(String(entries.get('manifest.json')));
  expect(manifest.entries.map(({ name }: { name: string }) => name)).toEqual(
    [...entries.keys()].slice(0, -1),
  );
  for (const text of records.values()) expect(checkRecord(text).outcome).toBe('fits-itself');
}, 60_000);

test('without a process that signs, or once the proof is stopped, the archive comes without records and says so', async () => {
  const alone = await testApp();
  try {
    const owner = await alone.signIn();
    await aJob(alone, owner, 'Completed');
    const said = 'Signed records of 1 finished job: they could not be made just now.';
    for (const stop of [false, true]) {
      if (stop) {
        await signLog(alone);
        await alone.everyRow.query("update proof.progress set stopped = 'log-changed'");
      }
      const entries = await exported(alone, owner);
      expect(recordsIn(entries).size).toBe(0);
      expect(countsOf(entries)).toMatchObject({ jobs: 1, records: 0, missingRecords: 1 });
      expect(String(entries.get('README.html'))).toContain(said);
    }
  } finally {
    await alone.close();
  }
});

test('a process that signs again is asked again, and one that never comes back ends the records alone', async () => {
  const app = await testApp();
  try {
    const owner = await app.signIn();
    await aJob(app, owner, 'Completed');
    await signLog(app);
    const unsigned = await exported(app, owner);
    expect(countsOf(unsigned)).toMatchObject({ jobs: 1, records: 0, missingRecords: 1 });
    const waiting = exported(app, owner);
    await expect
      .poll(() => app.everyRow.query('select 1 from proof.statements').then(({ rows }) => rows.length))
      .toBeGreaterThan(4);
    // Two, as in a rolling release.
    const proofs = [startProof(proofOptions(app)), startProof(proofOptions(app))];
    app.onClose(() => Promise.all(proofs.map((proof) => proof.stop())).then(() => {}));
    const entries = await waiting;
    expect(countsOf(entries)).toMatchObject({ jobs: 1, records: 1, missingRecords: 0 });
    for (const text of recordsIn(entries).values()) expect(checkRecord(text).outcome).toBe('fits-itself');
  } finally {
    await app.close();
  }
}, 60_000);
