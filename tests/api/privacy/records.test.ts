import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queueWeeklyRecords } from '#api/messages/kinds/subscriptions.ts';
import { deliverDue } from '#api/messages/sender.ts';
import { httpTimestampAuthority, httpWitness } from '#api/providers/attestation.ts';
import type { Mail } from '#api/providers/messages.ts';
import { fromBase64 } from '#core/proof/base64.ts';
import { checkRecord } from '#core/proof/check.ts';
import { readGiven } from '#core/proof/check-log.ts';
import { verifyConsistency } from '#core/proof/merkle.ts';
import { type NoteVerifier, openNote, parseVkey, readCheckpoint } from '#core/proof/note.ts';
import { type JobRecord, readRecord, recordHash } from '#core/proof/record.ts';
import { attestOnce } from '#projections/proof/attest.ts';
import { findCheckpoint, readProofKeys } from '#projections/proof/read.ts';
import { requestNote, statementKeyOf } from '#projections/proof/statements.ts';
import { sha256 } from '#projections/proof/tree.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { testDelivery } from '#tests/support/app/messages.ts';
import { secondCheck } from '#tests/support/log/second-check.ts';
import { signForRecords, signLog } from '#tests/support/operations/record-recipes.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { tempFolder } from '#tests/support/run/temp-folder.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';
import { timestampServer, witnessServer } from '#tests/support/servers/proof-servers.ts';

describe('records', () => {
  let app: TestApp;
  let owner: SignedIn;
  let now = new Date('2026-11-23T00:00:00Z');

  beforeAll(async () => {
    app = await testApp({ now: () => now, env: { CHECKPOINTS: 'public' } });
    owner = await app.signIn();
    signForRecords(app);
  });
  afterAll(() => app?.close());

  async function issue(jobId: string, wanted: object = {}): Promise<{ text: string; record: JobRecord }> {
    const answer = await owner.post(`/api/jobs/${jobId}/record`, { audience: 'owner', ...wanted });
    expect(answer).toMatchObject({ status: 200 });
    const text: string = answer.body.record;
    return { text, record: readRecord(text) as JobRecord };
  }

  /** A request that was accepted and has notes. */
  async function workedOn(): Promise<string> {
    const jobId = await requestedJob(app, owner, { description: 'Ring 0491 570 156 first' });
    await owner.put(`/api/jobs/${jobId}/accept`);
    await owner.put(`/api/jobs/${jobId}`, { notes: 'Old pipes: charge more' });
    return jobId;
  }

  const openFields = ({ events }: JobRecord) =>
    events.flatMap(({ openings }) => Object.keys(openings)).toSorted();
  const withheldFields = ({ events }: JobRecord) =>
    events.flatMap(({ withheld }) => Object.entries(withheld).map(([field, reason]) => `${field} ${reason}`));

  test('a record is checked without the product, by two checks, against a checkpoint from before', async () => {
    const size = await signLog(app);
    const { note } = (await app.get(`/api/checkpoints/${size}`)).body.checkpoint;
    const jobId = await workedOn();
    const { text, record } = await issue(jobId, { anchor: size });
    const checked = checkRecord(text, readGiven(note));
    expect(checked.findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(checked.outcome).toBe('fits');
    expect(secondCheck(Buffer.from(text))).not.toBeNull();
    expect(record.events.map(({ type }) => type)).toEqual(['JobRequested', 'JobAccepted', 'JobNotesChanged']);
    expect(openFields(record)).toEqual(expect.arrayContaining(['email', 'name', 'notes', 'phone']));
    expect(record.asAt.at).toBeNull();
  });

  test('the history names each record, by the hash that its statement has', async () => {
    const jobId = await workedOn();
    const { record } = await issue(jobId);
    const events = await app.deps.store.readStream(`job-${jobId}`);
    expect(events.at(-1)?.event).toMatchObject({
      type: 'JobRecordIssued',
      data: {
        ...{ audience: 'owner', by: 'tradie', upto: 2 },
        sha256: recordHash((bytes) => createHash('sha256').update(bytes).digest(), record),
      },
    });
    const { history } = (await owner.get(`/api/jobs/${jobId}/history`)).body;
    expect(history[0]).toMatchObject({ what: 'record', text: 'You made a record of the job' });
    // The next one holds that the first was made.
    expect((await issue(jobId)).record.events.at(-1)?.type).toBe('JobRecordIssued');
  });

  test('the customer never reads the notes of the tradie, nor what a dispute is about', async () => {
    const jobId = await workedOn();
    const until = new Date(now.getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
    expect((await owner.put(`/api/jobs/${jobId}/dispute`, { until, reason: 'Will not pay' })).status).toBe(
      200,
    );
    const { text, record } = await issue(jobId, { audience: 'customer' });
    expect(text).not.toContain('Old pipes');
    expect(text).not.toContain('Will not pay');
    expect(withheldFields(record)).toEqual(['notes not-for-you', 'reason not-for-you']);
    expect(checkRecord(text).outcome).toBe('fits-itself');
  });

  test('contact that a status withholds stays withheld for either side, in texts as well', async () => {
    const jobId = await requestedJob(app, owner, { description: 'Ring 0491 570 156 first' });
    for (const audience of ['owner', 'customer']) {
      const { text, record } = await issue(jobId, { audience });
      expect(text).not.toContain('491570156');
      expect(text).not.toContain('0491 570 156');
      expect(text).not.toContain('aroha.t@example.com');
      expect(withheldFields(record).toSorted()).toEqual([
        ...['description not-for-you', 'email not-for-you', 'phone not-for-you'],
      ]);
      expect(openFields(record)).toContain('name');
      expect(checkRecord(text).outcome).toBe('fits-itself');
    }
  });

  test('of a customer who is erased nothing is open, and the record still fits', async () => {
    const jobId = await workedOn();
    await app.deps.subjectKeys.destroy(`customer-${jobId}`);
    const { text, record } = await issue(jobId);
    expect(openFields(record)).toEqual([]);
    expect(withheldFields(record)).toContain('name erased');
    expect(text).not.toContain('Aroha');
    expect(checkRecord(text).outcome).toBe('fits-itself');
    expect(secondCheck(Buffer.from(text))).toEqual(['0', '1', '2']);
  });

  test('a record of a moment ends there, and says so of no more of the log', async () => {
    const jobId = await requestedJob(app, owner);
    const then = now.toISOString();
    now = new Date(now.getTime() + 60_000);
    await owner.put(`/api/jobs/${jobId}/accept`);
    const { text, record } = await issue(jobId, { at: then });
    expect(record.events.map(({ type }) => type)).toEqual(['JobRequested']);
    expect(record.asAt.at).toBe(then);
    const whole = await issue(jobId);
    expect(record.asAt.size).toBe(whole.record.events[1]?.index);
    expect(checkRecord(text).outcome).toBe('fits-itself');
  });

  test('a record up to a revision has no later event, whatever the clocks showed', async () => {
    const jobId = await workedOn();
    const { text, record } = await issue(jobId, { upTo: 1 });
    expect(record.events.map(({ type }) => type)).toEqual(['JobRequested', 'JobAccepted']);
    expect(record.asAt).toEqual({ at: null, size: (await issue(jobId)).record.events[2]?.index });
    expect(checkRecord(text).outcome).toBe('fits-itself');
  });

  test('the process that signs refuses what is not so, and what another did not ask for', async () => {
    const jobId = await workedOn();
    const { record } = await issue(jobId);
    const { db, config, newId } = app.deps;
    const key = statementKeyOf(config.keys.data);
    const stream = `job-${jobId}` as const;
    const last = record.events.at(-1)?.revision ?? 0;
    const request = { kind: 'record', stream, size: record.asAt.size, sha256: 'AAAA' } as const;
    const ask = (as: Buffer, revision: number, size = request.size) =>
      requestNote(db, as, newId(), { ...request, size, last: revision });
    const sha256 = createHash('sha256').digest('base64');
    const wrong = await Promise.all([
      ask(statementKeyOf(Buffer.alloc(32, 9)), last),
      ask(key, last - 1),
      ask(key, last + 1),
      ask(key, last, request.size + 1_000),
      requestNote(db, key, newId(), { ...request, stream: 'job-none', last: 0 }),
    ]);
    expect(wrong).toEqual([null, null, null, null, null]);
    await expect(requestNote(db, key, newId(), { ...request, sha256, last })).resolves.toContain('/record\n');
  });

  test('an operator makes one with ute audit record, and the history says so', async () => {
    const jobId = await workedOn();
    const folder = tempFolder('record');
    const out = join(folder.path, 'job.ute-record.json');
    const environment = {
      ...{ DATABASE_URL: app.databaseUrl, DATA_DIR: folder.path },
      DATA_KEY: app.deps.config.keys.data.toString('base64'),
      CLAIM_KEY: app.deps.config.keys.claim.toString('base64'),
    };
    const answer = await runUte(
      environment,
      'audit',
      'record',
      jobId,
      '--out',
      out,
      '--audience',
      'customer',
    );
    expect(answer).toEqual({ out: `The record for the customer is in ${out}.\n`, err: '', code: 0 });
    const text = readFileSync(out, 'utf8');
    expect(checkRecord(text).outcome).toBe('fits-itself');
    expect(text).not.toContain('Old pipes');
    const events = await app.deps.store.readStream(`job-${jobId}`);
    expect(events.at(-1)?.event?.data).toMatchObject({ by: 'operator', audience: 'customer' });
    folder.remove();
  });

  test('thirty records an hour, and none where nothing signs', async () => {
    const alone = await testApp({ env: { RATE_LIMITS: 'on' } });
    try {
      const account = await alone.signIn();
      const jobId = await requestedJob(alone, account);
      const make = () => account.post(`/api/jobs/${jobId}/record`, { audience: 'owner' });
      const refused = await make();
      expect(refused).toMatchObject({ status: 503 });
      expect(refused.headers.get('retry-after')).not.toBeNull();
      const rest = await Promise.all(
        Array.from({ length: 30 }, () => account.post(`/api/jobs/${UNKNOWN}/record`, { audience: 'owner' })),
      );
      expect(rest.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1);
      const { history } = (await account.get(`/api/jobs/${jobId}/history`)).body;
      expect(history.map(({ what }: { what: string }) => what)).not.toContain('record');
    } finally {
      await alone.close();
    }
  });

  const UNKNOWN = '00000000-0000-7000-8000-000000000000';
});

describe('attested records', () => {
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

  async function issue(jobId: string): Promise<{ text: string; record: JobRecord }> {
    const { status, body } = await owner.post(`/api/jobs/${jobId}/record`, { audience: 'owner' });
    expect(status).toBe(200);
    return { text: body.record, record: readRecord(body.record) as JobRecord };
  }

  test('a record of what a witness has seen is known by the key of the witness alone', async () => {
    const jobId = await requestedJob(app, owner);
    await sign();
    await attest();
    const younger = await requestedJob(app, owner);
    await sign();
    signForRecords(app);
    const { text, record } = await issue(jobId);
    expect(record.attested).toEqual([expect.objectContaining({ timestamps: [expect.anything()] })]);
    expect(record.attested?.[0]?.proof).not.toEqual([]);
    const checked = checkRecord(text, readGiven(witness.verifier.vkey));
    expect(checked.findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(checked.outcome).toBe('fits');
    expect(secondCheck(Buffer.from(text))).not.toBeNull();
    expect((await issue(younger)).record.attested).toBeUndefined();
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
});

describe('weekly record', () => {
  /** 07:00 of Monday, 23 November 2026, in Melbourne, where the businesses of the tests are. */
  const monday = Date.parse('2026-11-22T20:00:00Z');
  const minute = 60_000;
  const day = 24 * 60 * minute;

  let app: TestApp;
  let time = monday - 2 * day;
  let owner: SignedIn;
  let idle: SignedIn;
  let sent: { mail: Mail; id: string }[];

  beforeAll(async () => {
    app = await testApp({ env: { PUBLIC_ORIGIN: 'https://jobs.example.com' }, now: () => new Date(time) });
  });
  beforeEach(async () => {
    time = monday - 2 * day;
    sent = [];
    [owner, idle] = [await app.signIn(), await app.signIn()];
    await requestedJob(app, owner);
    await app.settle();
  });
  afterAll(() => app?.close());

  /** As another process would, which has queued nothing yet. */
  const queue = () => queueWeeklyRecords({ now: app.deps.now, db: Object.create(app.deps.db) });
  async function mails(at: number): Promise<Mail[]> {
    time = at;
    await queue();
    time += 10 * minute;
    const send = async (mail: Mail, id: string) => void sent.push({ mail, id });
    await deliverDue(testDelivery(app, { mail: { name: 'test', send } }));
    return sent.map(({ mail }) => mail).filter(({ subject }) => subject === 'Your weekly record');
  }
  const toOwner = async (at: number) => (await mails(at)).filter(({ to }) => to === owner.email);

  test('nothing goes out before anything was signed', async () => {
    expect(await mails(monday)).toEqual([]);
  });

  test('on Monday at 07:00 the newest checkpoint goes to those who had work, as it was signed, once', async () => {
    await signLog(app);
    expect(await toOwner(monday - minute)).toEqual([]);
    const found = await mails(monday);
    expect(found.map(({ to }) => to)).toContain(owner.email);
    expect(found.map(({ to }) => to)).not.toContain(idle.email);
    const [mail] = found.filter(({ to }) => to === owner.email);
    const checkpoint = await findCheckpoint(app.deps.db);
    expect(mail?.attachments).toEqual([{ name: 'checkpoint.txt', text: checkpoint?.note }]);
    const vkey = /^\S+\+[0-9a-f]{8}\+\S+$/m.exec(mail?.text ?? '')?.[0] ?? '';
    const key = parseVkey(vkey);
    expect(key && openNote(mail?.attachments?.[0]?.text ?? '', [key])?.signatures).toHaveLength(1);
    expect(mail?.text).toContain('https://jobs.example.com/check');

    for (const later of [minute, 60 * minute, day]) await mails(monday + later);
    expect(
      sent.filter(({ mail: { to, subject } }) => to === owner.email && /weekly/.test(subject)),
    ).toHaveLength(1);
  });

  test('an old job that was accepted in that week is work', async () => {
    time = monday - 10 * day;
    const [accepting, waiting] = [await app.signIn(), await app.signIn()];
    const jobId = await requestedJob(app, accepting);
    await requestedJob(app, waiting);
    await app.settle();
    time = monday - day;
    const { email, password } = accepting;
    const { token } = (await app.post('/api/authenticate/login', { email, password })).body as {
      token: string;
    };
    const again = app.as({ authorization: `Bearer ${token}` });
    expect((await again.put(`/api/jobs/${jobId}/accept`)).status).toBe(200);
    await signLog(app);
    const found = (await mails(monday)).map(({ to }) => to);
    expect(found).toContain(accepting.email);
    expect(found).not.toContain(waiting.email);
  });

  test('what a process that was down on Monday missed is made up for on Tuesday, and no later', async () => {
    expect(await toOwner(monday + 2 * day)).toEqual([]);
    expect(await toOwner(monday + day)).toHaveLength(1);
  });

  test('two processes at once queue one', async () => {
    time = monday;
    await Promise.all([queue(), queue(), queue()]);
    expect(await toOwner(monday)).toHaveLength(1);
  });

  test('it is turned off by its toggle, and by the link and the header of the mail itself', async () => {
    const [mail] = await toOwner(monday);
    const link = /<https:\/\/jobs\.example\.com(\/unsubscribe\/[\w-]{44})>/.exec(
      mail?.headers?.['List-Unsubscribe'] ?? '',
    )?.[1];
    expect(mail?.text).toContain(`Unsubscribe from the weekly record:\nhttps://jobs.example.com${link}`);
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { text } = await app.send('POST', String(link), { body, headers });
    expect(text).toBe('You are unsubscribed from the weekly record.\n');
    const { notifications } = (await owner.get('/api/settings/notifications')).body;
    expect(notifications).toMatchObject({ weeklyRecord: false, newsletter: true });

    await requestedJob(app, owner);
    time = monday + 5 * day;
    await requestedJob(app, owner);
    await app.settle();
    sent = [];
    expect(await toOwner(monday + 7 * day)).toEqual([]);
  });
});

describe('checkpoints', () => {
  let app: TestApp;
  let owner: SignedIn;
  let now = new Date('2026-11-23T00:00:00Z');
  let older: number;
  let newer: number;

  beforeAll(async () => {
    app = await testApp({ now: () => now, env: { CHECKPOINTS: 'public', RATE_LIMITS: 'on' } });
    owner = await app.signIn();
    older = await signLog(app);
    await owner.put('/api/settings/notifications', { sms: false }, {});
    await app.signIn();
    now = new Date(now.getTime() + 120_000);
    newer = await signLog(app);
  });
  afterAll(() => app?.close());

  /** A stranger, who is counted by an address of their own. */
  const ask = (path: string, headers: Record<string, string> = {}) =>
    app.get(`/api/checkpoints${path}`, headers);

  test('a stranger reads the newest checkpoint, and finds it signed by the published key', async () => {
    const { status, body, headers } = await ask('/latest');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=5');
    const { keys } = (await ask('/key')).body;
    expect(keys.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['cosignature', 'signature']);
    const verifiers = keys.map(({ vkey }: { vkey: string }) => parseVkey(vkey));
    const opened = openNote(body.checkpoint.note, verifiers);
    expect(opened?.signatures).toHaveLength(2);
    expect(readCheckpoint(opened?.text ?? '')).toEqual({
      origin: body.checkpoint.origin,
      size: newer,
      root: fromBase64(body.checkpoint.root),
    });
    expect(body.checkpoint.signedAt).toBe(now.toISOString());
  });

  test('the older log is shown to be in the newer one', async () => {
    expect(older).toBeGreaterThan(0);
    expect(newer).toBeGreaterThan(older);
    const headOf = async (size: number) => {
      const { checkpoint } = (await ask(`/${size}`)).body;
      return { size, root: fromBase64(checkpoint.root) ?? new Uint8Array() };
    };
    const { body, headers } = await ask(`/consistency?from=${older}&to=${newer}`);
    const proof = body.proof.map((hash: string) => fromBase64(hash));
    expect(verifyConsistency(sha256, await headOf(older), await headOf(newer), proof)).toBe(true);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('the list has the newest first', async () => {
    const { checkpoints } = (await ask('')).body;
    expect(checkpoints.map(({ size }: { size: number }) => size)).toEqual([newer, older]);
  });

  describe('what there is not', () => {
    test.each([
      ['/999999', 404],
      ['/0', 404],
      ['/x', 404],
      ['/consistency?from=1&to=999999', 404],
      ['/consistency?from=2&to=1', 400],
      ['/consistency?from=0&to=1', 422],
      ['/consistency?from=1', 422],
    ])('%s', async (path, status) => {
      expect((await ask(path)).status).toBe(status);
    });
  });

  test('after sixty questions in a minute a client waits', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 70; n += 1) statuses.push((await ask('/key')).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses[0]).toBe(200);
  });

  test('with CHECKPOINTS=members only those who are signed in are answered', async () => {
    const closed = await testApp({ env: { CHECKPOINTS: 'members' } });
    const member = await closed.signIn();
    for (const path of ['', '/latest', '/key', '/1', '/consistency?from=1&to=1']) {
      expect((await closed.get(`/api/checkpoints${path}`)).status).toBe(403);
    }
    expect((await member.get('/api/checkpoints')).status).toBe(200);
    await closed.close();
  });
});
