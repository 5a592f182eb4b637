import { expect, test } from 'vitest';
import { bytesOf, jpegOfScans, png } from '#tests/support/scenarios/files.ts';
import { aJobRequest, aTicket, postForm } from '#tests/support/scenarios/job-requests.ts';
import { END, filePart, uploads } from '#tests/support/scenarios/limited-forms.ts';

const stage = uploads();
const filesOf = async () => {
  const { rows } = await stage.app.deps.db.query(`select id from state.files where kind = 'media'`);
  return rows.length;
};
const textPart = (name: string, value: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

test('a form without script that its limits refuse has no picture drawn; one within them has', async () => {
  const client = stage.aClient();
  const texts = Object.entries(aJobRequest()).map(([name, value]) => textPart(name, String(value)));
  const body = bytesOf(...texts, filePart('tap.png'), png(8, 8), END);
  expect((await stage.postForm(body, client)).status).toBe(303);
  for (let n = 1; n < 3; n += 1)
    expect((await postForm(stage.app.as(client), stage.acme.slug)).status).toBe(303);
  const before = await filesOf();
  const more = bytesOf(textPart('isUrgent', 'on'), body);
  const refused = await stage.postForm(more, client);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect([before, await filesOf()]).toEqual([1, 1]);
});

test('a picture that a decoder would go over again and again is refused in words', async () => {
  const { status, body } = await stage.postFile(await jpegOfScans(80), stage.aClient());
  expect([status, body.fields.media]).toEqual([
    422,
    'This image is saved in an unusual way, please save it again as a plain JPEG or PNG',
  ]);
});

test('a picture whose sender has gone is not drawn, and its place on the ticket is free again', async () => {
  const ticket = await aTicket(stage.app);
  const before = await filesOf();
  const upload = (signal: AbortSignal | null) =>
    stage.app.app.handle(
      new Request(`http://localhost/api/public-forms/${stage.acme.slug}/media?name=a.png`, {
        ...{ method: 'POST', body: png(8, 8), signal },
        headers: { ...stage.aClient(), 'x-bot-check': ticket },
      }),
    );
  expect((await upload(AbortSignal.abort())).status).toBe(408);
  expect(await filesOf()).toBe(before);
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) statuses.push((await upload(null)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 400]);
});
