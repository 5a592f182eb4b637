import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unsubscribeToken } from '#api/announcements/unsubscribe.ts';
import { keyVariables } from '#api/runtime/config/keys.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { openOwners } from '#tests/support/app/messages.ts';
import { type Ran, runUte } from '#tests/support/processes/processes.ts';
import { type MailServer, mailServer } from '#tests/support/servers/mail-server.ts';

const folder = tempFolder('announce');
let api: TestApp;
let mail: MailServer;
let acme: SignedIn;
beforeAll(async () => {
  [api, mail] = [await testApp(), await mailServer()];
  acme = await api.signIn();
  await openOwners(api.deps, 1, { newsletter: false });
  await api.settle();
});
afterAll(async () => {
  await api?.close();
  await mail?.close();
  folder.remove();
});

function ute(...words: string[]): Promise<Ran> {
  const keys = Object.entries(keyVariables).map(([purpose, variable]) => {
    return [variable, api.deps.config.keys[purpose as keyof typeof keyVariables].toString('base64')];
  });
  const environment = {
    ...{ ...Object.fromEntries(keys), DATABASE_URL: api.databaseUrl, DATA_DIR: folder.path },
    ...{
      SMTP_URL: mail.url,
      MAIL_FROM: 'Ute <hello@ute.example>',
      PUBLIC_ORIGIN: 'https://jobs.example.com',
    },
  };
  return runUte(environment, 'announce', ...words);
}

function aFile(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
}
const news = () =>
  aFile('2026-11-invoices.md', '# Invoices are here\n\nSend them\nfrom any job.\n\n[Try it](/jobs/all)\n');
const waiting = async () => {
  const { rows } = await api.deps.db.query('select announcement, kind, data from state.outbox order by id');
  return rows;
};

test('a dry run says how many would get it and shows it, and sends nothing', async () => {
  const { out, code } = await ute(news(), '--kind', 'newsletter', '--dry-run');
  expect(code).toBe(0);
  const [first, , ...preview] = out.split('\n');
  expect(first).toBe('2026-11-invoices would go to 1 account; 0 had it before, 1 turned the newsletter off');
  expect(preview.join('\n')).toMatch(
    /^Subject: Invoices are here\n\nInvoices are here\n\nSend them from any job\.\n\nTry it:\nhttps:\/\/jobs\.example\.com\/jobs\/all\n/,
  );
  expect([await waiting(), mail.received]).toEqual([[], []]);
  expect((await ute('list')).out).toBe('nothing was announced\n');
});

test('a test goes to one address at once, with the headers of the real one', async () => {
  const { out, code } = await ute('send', news(), '--kind', 'newsletter', '--test-to', 'Eve@acme.example');
  expect([out, code]).toEqual(['smtp took it\n', 0]);
  expect(mail.received[0]).toMatchObject({
    ...{ to: ['eve@acme.example'], parsed: { subject: '[Test] Invoices are here' } },
  });
  expect(mail.received[0]?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  expect(await waiting()).toEqual([]);
  mail.behave({ how: 'refuses', at: 'RCPT', code: 550 });
  expect(await ute(news(), '--kind', 'newsletter', '--test-to', 'eve@acme.example')).toMatchObject({
    ...{ out: 'not sent: smtp: answered 550 to RCPT TO\n', code: 1 },
  });
  mail.behave({ how: 'takes' });
});

test('it is queued once for each account that wants it, and holds ids alone', async () => {
  const first = await ute(news(), '--kind', 'newsletter');
  expect(first).toEqual({
    out: '2026-11-invoices goes to 1 account; 0 had it before, 1 turned the newsletter off\n',
    err: expect.stringContaining('accounts asked: 2 of 2\n'),
    code: 0,
  });
  const again = await ute(news(), '--kind', 'newsletter');
  expect(again.out).toBe(
    '2026-11-invoices goes to 0 accounts; 1 had it before, 1 turned the newsletter off\n',
  );
  expect(await waiting()).toEqual([
    {
      ...{ announcement: '2026-11-invoices', kind: 'announcement' },
      data: { announcement: '2026-11-invoices', accountId: acme.accountId },
    },
  ]);
  expect((await ute('list')).out).toMatch(
    /^2026-11-invoices \(newsletter\) since \S+: 1 waiting, 0 sent\n {2}Invoices are here\n$/,
  );
});

test('other words need another name, and what is cancelled stays so', async () => {
  const changed = aFile('changed.md', '# Invoices are here\n\nAnd quotes.\n');
  const refused = await ute(changed, '--kind', 'newsletter', '--id', '2026-11-invoices');
  expect(refused).toMatchObject({ out: '', code: 1, err: expect.stringContaining('begun with other words') });
  expect((await ute('cancel', '2026-11-invoices')).out).toBe('2026-11-invoices: cancelled, 1 not sent\n');
  expect(await ute(news(), '--kind', 'newsletter')).toMatchObject({
    code: 1,
    err: expect.stringContaining('cancelled'),
  });
  expect((await ute('list')).out).toMatch(/, cancelled \S+: 0 sent, 1 cancelled\n/);
});

test('who asks by mail is unsubscribed by the subject of that mail', async () => {
  const token = unsubscribeToken(api.deps.config, { accountId: acme.accountId, kind: 'product-update' });
  expect(await ute('unsubscribe', token)).toMatchObject({
    out: 'unsubscribed from product updates\n',
    code: 0,
  });
  const { notifications } = (await acme.get('/api/settings/notifications')).body;
  expect(notifications).toMatchObject({ productUpdates: false, newsletter: true });
  expect(await ute('unsubscribe', 'nonsense')).toMatchObject({ code: 1, err: 'This is no link of ours.\n' });
});

test.each([
  [['no-such-file.md', '--kind', 'newsletter'], 'no-such-file.md cannot be read.'],
  [['README.md'], "required option '--kind <kind>' not specified"],
  [['README.md', '--kind', 'newsletter', '--id', 'Big News'], 'small letters, digits and dashes'],
  [['README.md', '--kind', 'newsletter', '--test-to', 'eve@acme'], 'An email address.'],
  [['README.md', '--kind', 'newsletter', '--id', 'x-1'], 'holds markup'],
  [['cancel', 'unheard-of'], 'There is no such announcement.'],
])('%j is refused in a line', async (words, line) => {
  const { code, err, out } = await ute(...words);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(line);
});
