import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findCheckpoint, readProofKeys } from '#api/proof/read.ts';
import { toBase64 } from '#core/crypto/base64.ts';
import { keyIdOf } from '#core/crypto/note.ts';
import { checkRecord } from '#core/proof/check.ts';
import { readGiven } from '#core/proof/check-log.ts';
import { jobReference } from '#core/values/job-form.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { linkIn, type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { issueRecord, signForRecords, signLog } from '#tests/support/operations/record-recipes.ts';
import { aJobRequest, requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: MessageApp;
beforeAll(async () => {
  app = await messageApp();
});
afterAll(() => app?.close());

describe('customer messages', () => {
  let dave: SignedIn;
  let customer: string;
  let count = 0;
  beforeEach(async () => {
    dave = await app.signIn();
    count += 1;
    customer = `customer${count}@example.com`;
  });

  const request = (changes = {}) => requestedJob(app, dave, { email: customer, ...changes });

  async function told() {
    await app.settle();
    return sentMail(app, customer);
  }

  test('the customer has a receipt at once, with the reference and what was sent, and no contact or street in it', async () => {
    const id = await request({
      ...{
        name: 'Sal Marker',
        title: 'Leaking tap evil.top/pay',
        description: 'It drips. Pay at 1.2.3.4/pay',
      },
      ...{ address: '1 Marker St, Brunswick VIC 3056', wishedTime: 'Marker o’clock', phone: '0491 570 159' },
    });
    const [receipt, ...others] = await told();
    expect(others).toEqual([]);
    expect(receipt?.text).toContain(jobReference(id));
    expect(receipt?.text).toContain('Acme Plumbing');
    expect(receipt?.subject).toBe(`Your request ${jobReference(id)} has arrived: Acme Plumbing via Ute`);
    for (const said of [
      'Hi Sal,',
      'Acme Plumbing has your job request “Leaking tap (left out)”.',
      'Job: Leaking tap (left out)\nWhere: Brunswick VIC\nIn your words: It drips. Pay at (left out)',
    ])
      expect(receipt?.text).toContain(said);
    const all = JSON.stringify(receipt);
    for (const typed of ['Marker', 'evil', '1.2.3.4', '491 570 159', '491570159'])
      expect(all).not.toContain(typed);
  });

  test('five requests a minute for another’s mailbox do not fill it', async () => {
    const limited = await messageApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
    try {
      const owner = await limited.signIn();
      for (let n = 0; n < 9; n += 1) {
        const client = limited.as({ 'x-forwarded-for': `203.0.113.${n}` });
        const title = `Flood ${n}`;
        await requestedJob({ ...limited, ...client }, owner, { email: 'victim@example.com', title });
      }
      await limited.settle();
      expect(await sentMail(limited, 'victim@example.com')).toHaveLength(6);
    } finally {
      await limited.close();
    }
  });

  test.each([
    ['accept', 'has accepted your job request “Tap (left out)”', 'accepted'],
    ['reject', 'cannot take on your job request “Tap (left out)”', 'declined'],
  ])('the customer is notified of %s a minute later, in words of our own', async (answer, words, was) => {
    const id = await request({ title: 'Tap evil.top/pay' });
    await dave.put(`/api/jobs/${id}/${answer}`);
    app.pass(0.99);
    expect(await told()).toHaveLength(1);
    app.pass(0.01);
    const [, word, ...others] = await told();
    expect(others).toEqual([]);
    expect(word?.text).toContain(words);
    expect(word?.subject).toBe(`Your request ${jobReference(id)} was ${was}: Acme Plumbing via Ute`);
    expect(word?.text).toContain(jobReference(id));
    expect(word?.text).toContain('Hi Aroha,');
    expect(word?.text).toContain('Dave from Acme Plumbing');
    expect(JSON.stringify(word)).not.toMatch(/evil|Tāwhiri|Lygon|491 ?570 ?156/);
  });

  test('what a customer answers reaches the business where it publishes an email, in its colour', async () => {
    expect((await dave.put('/api/settings/branding', { theme: '#C21313' })).status).toBe(200);
    await request();
    expect((await told())[0]?.replyTo).toBeUndefined();
    expect((await dave.put('/api/settings/contact', { showEmail: true })).status).toBe(200);
    const id = await request({ title: 'Second' });
    const [, receipt] = await told();
    expect(receipt?.replyTo).toBe(dave.email);
    expect(receipt?.html).toMatch(/background:#C21313;[^>]*><a [^>]*color:#ffffff/);
    await dave.put(`/api/jobs/${id}/accept`);
    app.pass(1);
    expect((await told())[2]?.replyTo).toBe(dave.email);
  });

  test('an answer that was undone is not sent, another one after it is', async () => {
    const id = await request();
    const { job } = (await dave.put(`/api/jobs/${id}/reject`)).body;
    app.pass(0.5);
    expect((await dave.post(`/api/jobs/${id}/undo`, { revision: job.revision })).status).toBe(200);
    app.pass(5);
    expect(await told()).toHaveLength(1);
    await dave.put(`/api/jobs/${id}/accept`);
    app.pass(1);
    const [, word] = await told();
    expect(word?.text).toContain('has accepted');
  });

  test('other changes, and their undo, within the minute keep nothing from the customer', async () => {
    const id = await request();
    await dave.put(`/api/jobs/${id}/accept`);
    const { job } = (await dave.put(`/api/jobs/${id}`, { status: 'Quoted' })).body;
    expect((await dave.post(`/api/jobs/${id}/undo`, { revision: job.revision })).status).toBe(200);
    expect(await told()).toHaveLength(1);
    app.pass(1);
    expect((await told())[1]?.text).toContain('has accepted');
  });

  test('a job that is rejected and accepted in the same minute is sent as accepted alone', async () => {
    const id = await request();
    expect(await told()).toHaveLength(1);
    await dave.put(`/api/jobs/${id}/reject`);
    await dave.put(`/api/jobs/${id}/accept`);
    app.pass(5);
    const [, word, ...others] = await told();
    expect(word?.text).toContain('has accepted');
    expect(others).toEqual([]);
  });

  test('a customer who needs it no longer is asked on a page, notified once, and gets nothing further', async () => {
    const id = await request({ title: 'Marker title' });
    const path = `/api${linkIn((await told())[0] as { text: string })}`;
    const shown = await app.get(path);
    expect(shown.body).toMatchObject({
      state: 'open',
      business: 'Acme Plumbing',
      reference: jobReference(id),
    });
    expect(shown.text).not.toMatch(/Marker|Aroha|Lygon|491 ?570 ?156/);
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.post(path)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.state}`))).toEqual(
      new Set(['200 told']),
    );
    const { history } = (await dave.get(`/api/jobs/${id}/history`)).body;
    const said = history.filter(({ what }: { what: string }) => what === 'not-needed');
    expect(said).toMatchObject([{ text: 'Aroha Tāwhiri said that this job is no longer needed' }]);
    expect((await dave.get(`/api/jobs/${id}`)).body.job.noLongerNeededAt).toBe(app.deps.now().toISOString());
    const { mail } = await app.toldTo(dave);
    expect(mail.at(-1)).toContain('The customer no longer needs this job');
    await dave.put(`/api/jobs/${id}/reject`);
    app.pass(5);
    expect(await told()).toHaveLength(1);
  });

  test('a tradie who was to turn up is notified by SMS too', async () => {
    const id = await request({ title: 'Tap' });
    const [receipt] = await told();
    await dave.put(`/api/jobs/${id}/accept`);
    const scheduledAt = '2026-11-23T22:00:00.000Z';
    expect((await dave.put(`/api/jobs/${id}`, { scheduledAt })).status).toBe(200);
    await app.post(`/api${linkIn(receipt as { text: string })}`);
    const { mail, sms } = await app.toldTo(dave);
    expect(mail.at(-1)).toContain('on your schedule for Tue, 24 Nov 2026 9:00AM');
    expect(sms.at(-1)).toMatch(/^No longer needed: Tap\. It is scheduled for Tue, 24 Nov 2026 9:00AM\. http/);
  });

  test('nothing of a message that was sent stays, and nothing in it was ever personal', async () => {
    const { name, phone, title } = aJobRequest();
    await request();
    const { rows } = await app.deps.db.query('select to_jsonb(o)::text as row from state.outbox o');
    for (const { row } of rows)
      for (const text of [name, phone, title, customer]) expect(row).not.toContain(text);
    const token = linkIn((await told())[0] as { text: string })
      .split('/')
      .at(-1);
    const { rows: links } = await app.deps.db.query(
      'select to_jsonb(l)::text as row from state.answer_links l',
    );
    expect(links.length).toBeGreaterThan(0);
    for (const { row } of links) expect(row).not.toContain(token);
  });
});

describe('receipt log line', () => {
  let dave: SignedIn;

  beforeAll(async () => {
    dave = await app.signIn();
  });

  async function receiptTo(email: string) {
    await requestedJob(app, dave, { email });
    await app.settle();
    const [receipt] = await sentMail(app, email);
    if (!receipt) throw new Error('there is no receipt');
    return receipt;
  }

  test('where nothing was ever signed, the receipt goes out without the line', async () => {
    const { text } = await receiptTo('early@example.com');
    expect(text).toContain('Your request has arrived');
    expect(text).not.toContain('Log ');
  });

  test('the receipt names a checkpoint that has the request, in text and in HTML', async () => {
    const before = await signLog(app);
    signForRecords(app);
    const { text, html } = await receiptTo('sam@example.com');
    expect(text).toMatch(/\n\nFor your records: [^\n]+\/check\nLog /);
    const [line, size, root, id] = /^Log (\d+) · ([A-Za-z0-9+/]{43}=) · key ([0-9a-f]{8})$/m.exec(text) ?? [];
    expect(Number(size)).toBeGreaterThan(before);
    const checkpoint = await findCheckpoint(app.deps.db, Number(size));
    expect(checkpoint && toBase64(checkpoint.root)).toBe(root);
    expect(html).toContain(line);
    const keys = await readProofKeys(app.deps.db);
    expect(keys.filter(({ kind }) => kind === 'signature').map(keyIdOf)).toEqual([id]);
  });

  test('of a record that is made much later the line of the receipt backs up what it had, as anybody finds who has both', async () => {
    await signLog(app);
    signForRecords(app);
    const jobId = await requestedJob(app, dave, { email: 'kim@example.com' });
    await app.settle();
    const [receipt] = await sentMail(app, 'kim@example.com');
    const given = readGiven(receipt?.text ?? '');
    expect(given.checkpoints).toHaveLength(1);
    const size = given.checkpoints[0]?.size ?? 0;
    // The record of a later job is of a later checkpoint.
    const later = await issueRecord(dave, await requestedJob(app, dave));
    expect(later.record.asAt.size).toBeGreaterThan(size);
    // Of old checkpoints few are kept.
    await app.deps.db.query(
      'delete from proof.checkpoints where size < (select max(size) from proof.checkpoints)',
    );
    const { text, record } = await issueRecord(dave, jobId);
    const { outcome, findings, vouched } = checkRecord(text, given);
    expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(findings.map((one) => one.text)).toContain(
      `It is the log of your checkpoint of ${size} events: nothing in it before was changed since.`,
    );
    expect(outcome).toBe('fits-in-part');
    expect(vouched).toBe(1);
    const [key] = (await readProofKeys(app.deps.db)).filter(({ kind }) => kind === 'signature');
    expect(checkRecord(text, { ...given, vkeys: [key?.vkey ?? ''] }).outcome).toBe('fits');
    expect(record.anchors.map((anchor) => anchor.size)).toContain(size);
    expect(record.anchors.length).toBeLessThanOrEqual(20);
  });

  test('a proof that stopped holds up no receipt', async () => {
    await app.deps.db.query(`update proof.progress set stopped = 'log-changed'`);
    const { text } = await receiptTo('late@example.com');
    expect(text).not.toContain('Log ');
  });
});
