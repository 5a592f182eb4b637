import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PageRenderer } from '#api/deps.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import {
  bomb,
  bytesOf,
  damagedPictures,
  noPictures,
  pdf,
  png,
  polyglots,
} from '#tests/support/scenarios/files.ts';
import { aTicket, sendForm } from '#tests/support/scenarios/job-requests.ts';
import { flakyFiles } from '#tests/support/servers/outages.ts';

const MB = 1024 * 1024;
const tooLarge = bytesOf('%PDF-1.7\n', new Uint8Array(5 * MB), '\n%%EOF\n');

type Submission = {
  values: Record<string, string>;
  fields: Record<string, string>;
  media: { id: string; name: string }[];
};
let shown: Submission | undefined;
/** Stands where Astro is, and remembers what the form was given to show. */
const pages: PageRenderer = async (_request, { status = 200, locals = {} }) => {
  shown = locals.submission as Submission | undefined;
  return new Response('the form', { status });
};
let app: TestApp;
let acme: SignedIn;
let rival: SignedIn;
const fileStore = flakyFiles();
beforeAll(async () => {
  app = await testApp({
    pages,
    files: fileStore.wrap,
  });
  [acme, rival] = [await app.signIn(), await app.signIn()];
});
beforeEach(() => {
  shown = undefined;
});
afterAll(() => app?.close());

const upload = (bytes: BodyInit, ticket: string, name = 'tap.png', { slug } = acme) =>
  app.send('POST', `/api/public-forms/${slug}/media?name=${encodeURIComponent(name)}`, {
    body: bytes,
    headers: { 'x-bot-check': ticket },
  });
async function newestJob(who = acme) {
  await app.settle();
  const [card] = (await who.get('/api/jobs')).body.jobs;
  return (await who.get(`/api/jobs/${card.id}`)).body.job;
}

describe('a file that is uploaded before its request', () => {
  test('comes with the job, as links that open', async () => {
    const ticket = await aTicket(app);
    const [tap, plan] = [await upload(png(8, 8), ticket), await upload(pdf, ticket, 'plan.pdf')];
    expect(tap.body.media).toEqual({
      id: expect.any(String),
      name: 'tap.png',
      mime: 'image/png',
      bytes: expect.any(Number),
    });
    const media = [plan.body.media.id, tap.body.media.id];
    expect((await sendForm(app, acme.slug, { media }, { 'x-bot-check': ticket })).status).toBe(200);
    const job = await newestJob();
    expect(job.media).toMatchObject([{ name: 'plan.pdf', mime: 'application/pdf' }, { name: 'tap.png' }]);
    expect((await app.get(job.media[0].url)).status).toBe(200);
  });

  test('costs a part of a ticket, which buys five and the request', async () => {
    const ticket = await aTicket(app);
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await upload(pdf, ticket)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 400]);
    expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': ticket })).status).toBe(200);
    for (const bad of ['', 'x', await aTicket(app, 'registration')]) {
      expect((await upload(pdf, bad)).status).toBe(400);
    }
  });

  test('that cannot be stored for our own reasons costs nothing', async () => {
    const ticket = await aTicket(app);
    fileStore.becomeUnavailable();
    for (let n = 0; n < 6; n += 1) expect((await upload(pdf, ticket)).status).toBe(503);
    fileStore.comeBack();
    expect((await upload(pdf, ticket)).status).toBe(200);
  });

  test('is refused where it is none of ours to keep', async () => {
    const hostile = [...noPictures, ...(await damagedPictures()), bomb];
    for (const { name, bytes } of hostile) {
      const { status, body } = await upload(bytes, await aTicket(app), name);
      expect([status, Object.keys(body.fields)], name).toEqual([422, ['media']]);
    }
    for (const { name, bytes } of await polyglots()) {
      const { body } = await upload(bytes, await aTicket(app), name);
      expect(body.media.name, name).toMatch(/\.(png|jpg|jpeg)$/);
    }
    expect((await upload(tooLarge, await aTicket(app))).body.message).toBe('Use files of at most 5 MB');
  });

  test('has a name and no place, and goes to no form that is not there', async () => {
    const { media } = (await upload(pdf, await aTicket(app), '../../etc/passwd\r\n.exe')).body;
    expect(media.name).toMatch(/^[^/\\\r\n]+\.pdf$/);
    expect((await upload(pdf, await aTicket(app), 'x', { ...acme, slug: 'nobody-here' })).status).toBe(404);
  });

  test('is the business’s it was sent to, is taken once, and comes with four others at most', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await upload(pdf, await aTicket(app))).body.media.id);
    const lost = { fields: { media: 'One of your files was lost, please add it again' } };
    expect((await sendForm(app, rival.slug, { media: [ids[0] as string] })).body).toMatchObject(lost);
    expect((await sendForm(app, acme.slug, { media: ids })).body.fields).toEqual({
      media: 'Add at most 5 files',
    });
    expect((await sendForm(app, acme.slug, { media: [ids[0] as string] })).status).toBe(200);
    expect((await sendForm(app, acme.slug, { media: [ids[0] as string] })).body).toMatchObject(lost);
    expect((await sendForm(app, acme.slug, { media: ['../x'] })).body).toMatchObject(lost);
  });
});

describe('a form without JavaScript', () => {
  let count = 0;
  function formOf(
    fields: Record<string, string> = {},
    files: [string, Uint8Array<ArrayBuffer>][] = [],
  ): FormData {
    const form = new FormData();
    const texts = {
      ...{ name: 'Aroha Tāwhiri', email: 'aroha.t@example.com', phone: '0491 570 156' },
      ...{
        address: '22/140 Lygon St, Brunswick East VIC 3057',
        title: `With files ${(count += 1)}`,
        website: '',
      },
    };
    for (const [name, value] of Object.entries({ ...texts, ...fields })) form.append(name, value);
    for (const [name, bytes] of files) form.append('media', new File([bytes], name));
    return form;
  }
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    app.send('POST', `/t/${acme.slug}`, { body, headers: { 'sec-fetch-site': 'same-origin', ...headers } });

  test('names each file that is refused, with its reason', async () => {
    const { status } = await post(
      formOf({}, [
        ['setup.exe', bytesOf('MZ')],
        ['tap.png', png(8, 8)],
        ['notes.txt', bytesOf('words')],
        ...Array.from({ length: 4 }, (_, n) => [`plan-${n}.pdf`, pdf] as [string, typeof pdf]),
      ]),
    );
    expect([status, shown?.media.map(({ name }) => name)]).toEqual([
      422,
      ['tap.png', 'plan-0.pdf', 'plan-1.pdf'],
    ]);
    expect(shown?.fields.media?.split('\n')).toEqual([
      'Add at most 5 files',
      'setup.exe: Use a PDF, or a PNG, JPEG or WebP image',
      'notes.txt: Use a PDF, or a PNG, JPEG or WebP image',
    ]);
  });

  test('brings its files along', async () => {
    const { status } = await post(
      formOf({}, [
        ['tap.png', png(8, 8)],
        ['plan.pdf', pdf],
      ]),
    );
    expect(status).toBe(303);
    expect((await newestJob()).media.map(({ name }: { name: string }) => name)).toEqual([
      'tap.png',
      'plan.pdf',
    ]);
    expect((await post(formOf({}, [['', bytesOf('')]]))).status).toBe(303);
    expect((await newestJob()).media).toEqual([]);
  });

  test('that is wrong is shown again with what was typed and the files that came, which then need not come again', async () => {
    const { status } = await post(
      formOf({ email: 'nobody' }, [
        ['tap.png', png(8, 8)],
        ['page.html', bytesOf('<p>')],
      ]),
    );
    expect(status).toBe(422);
    expect(shown?.values.name).toBe('Aroha Tāwhiri');
    expect(Object.keys(shown?.fields ?? {}).sort()).toEqual(['email', 'media']);
    expect(shown?.media).toMatchObject([{ name: 'tap.png' }]);
    const again = formOf({}, [['plan.pdf', pdf]]);
    again.append('keptMedia', shown?.media[0]?.id ?? '');
    expect((await post(again)).status).toBe(303);
    expect((await newestJob()).media.map(({ name }: { name: string }) => name)).toEqual([
      'tap.png',
      'plan.pdf',
    ]);
  });

  test('with a file that is too large, or too many of them, says so and keeps the others', async () => {
    const large = await post(
      formOf({ title: 'Kept' }, [
        ['plan.pdf', pdf],
        ['large.pdf', tooLarge],
      ]),
    );
    expect([large.status, shown?.fields.media, shown?.media.length]).toEqual([
      413,
      'large.pdf: Use files of at most 5 MB',
      1,
    ]);
    expect(shown?.values.title).toBe('Kept');
    const six = Array.from({ length: 6 }, (_, n): [string, Uint8Array<ArrayBuffer>] => [`${n}.pdf`, pdf]);
    expect((await post(formOf({}, six))).status).toBe(422);
    expect([shown?.fields.media, shown?.media.length]).toEqual(['Add at most 5 files', 5]);
  });

  test('that is more than a customer may send keeps what was typed, and what came first', async () => {
    const heavy = Array.from({ length: 6 }, (_, n): [string, Uint8Array<ArrayBuffer>] => [
      `${n}.pdf`,
      tooLarge,
    ]);
    const { status } = await post(formOf({ title: 'All kept' }, [['plan.pdf', pdf], ...heavy]));
    expect(status).toBe(413);
    expect([shown?.values.title, shown?.media.map(({ name }) => name)]).toEqual(['All kept', ['plan.pdf']]);
  });

  test('sent twice is one job, whose files came once', async () => {
    const before = (await acme.get('/api/jobs?limit=100')).body.jobs.length;
    const [one, two] = [1, 2].map(() => formOf({ title: 'Sent twice' }, [['plan.pdf', pdf]]));
    const answers = [await post(one as FormData), await post(two as FormData)];
    expect(answers[0]?.headers.get('location')).toBe(answers[1]?.headers.get('location'));
    await app.settle();
    expect((await acme.get('/api/jobs?limit=100')).body.jobs).toHaveLength(before + 1);
    const { rows } = await app.deps.db.query(
      'select count(*)::int as n from state.files where business_id = $1 and job_id = $2',
      [acme.businessId, (await newestJob()).id],
    );
    expect(rows[0].n).toBe(1);
  });

  test('sent twice at once is one job, also with files that are here already', async () => {
    await post(formOf({ email: 'nobody' }, [['plan.pdf', pdf]]));
    const kept = shown?.media[0]?.id ?? '';
    const title = `At once ${crypto.randomUUID()}`;
    const forms = Array.from({ length: 4 }, () => {
      const form = formOf({ title });
      form.append('keptMedia', kept);
      return form;
    });
    const answers = await Promise.all(forms.map((form) => post(form)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect(await newestJob()).toMatchObject({ title, media: [{ name: 'plan.pdf' }] });
  });

  test('takes no file of another business, and none from a script', async () => {
    const { media } = (await upload(pdf, await aTicket(app), 'x', rival)).body;
    const theirs = formOf();
    theirs.append('keptMedia', media.id);
    const head = await app.deps.store.head();
    expect((await post(theirs)).status).toBe(422);
    // As of a file that waited for too long: it is not here, and its customer adds it again.
    expect([shown?.fields, shown?.media]).toEqual([
      { media: 'One of your files was lost, please add it again' },
      [],
    ]);
    expect((await post(formOf({ website: 'x' }, [['plan.pdf', pdf]]))).status).toBe(303);
    expect(await app.deps.store.head()).toBe(head);
  });

  test.each([
    ['no boundary', 'multipart/form-data', 'x', 415],
    ['a boundary that never comes', 'multipart/form-data; boundary=x', 'nothing', 400],
    ['JSON', 'application/json', '{}', 415],
    ['a field twice', 'multipart/form-data; boundary=x', twice('x'), 400],
  ])('with %s is refused', async (_what, type, body, status) => {
    expect((await post(body, { 'content-type': type })).status).toBe(status);
  });
});

function twice(boundary: string): string {
  const part = `--${boundary}\r\ncontent-disposition: form-data; name="name"\r\n\r\nAroha\r\n`;
  return `${part}${part}--${boundary}--\r\n`;
}
