import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reservationKey } from '#api/accounts/reservations.ts';
import { holdAddress } from '#api/businesses/addresses.ts';
import type { PageRenderer } from '#api/deps.ts';
import { withPublicForms } from '#api/intake/public-form/form-pages.ts';
import { findForm } from '#api/intake/public-form.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aJobRequest, sendForm } from '#tests/support/scenarios/job-requests.ts';

const DAY = 24 * 60 * 60_000;

let api: TestApp;
let pages: PageRenderer;
let ahead = 0;
let dies: 'before' | 'after' | null = null;
/** A store whose process dies on one side of the next append. */
const mortal = (store: EventStore): EventStore => ({
  ...store,
  append: async (...args) => {
    if (dies === 'before') throw new Error('killed');
    const appended = await store.append(...args);
    if (dies === 'after') throw new Error('killed');
    return appended;
  },
});

beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + ahead), store: mortal, processes: true });
  pages = withPublicForms(async (_, { locals = {} }) => {
    const form = await (locals.publicForm as () => Promise<PublicForm | null>)?.();
    return form ? new Response(form.slug) : new Response(null, { status: 404 });
  }, api.deps);
});
afterAll(() => api?.close());

let acme: SignedIn;
let rival: SignedIn;
let names = 0;
/** An address that no business had. */
const fresh = () => `fresh-${(names += 1)}`;
/** Each test of a move has businesses that never moved. */
const unconfirmedOwners = async () => {
  [ahead, dies] = [0, null];
  [acme, rival] = await Promise.all([api.signIn(), api.signIn()]);
};

const move = (slug: string, who = acme) => who.put('/api/settings/branding', { slug });
const isAvailable = async (q: string, who = acme) =>
  (await who.get(`/api/settings/branding/slug?q=${encodeURIComponent(q)}`)).body.available;
/** Days later, with a session of that day. */
async function daysLater(days: number, who: SignedIn): Promise<SignedIn> {
  ahead = days * DAY;
  const { email, password } = who;
  const { body } = await api.post('/api/authenticate/login', { email, password });
  return { ...who, ...api.as({ authorization: `Bearer ${body.token}` }) };
}
const page = async (path: string) => {
  const answer = await pages(new Request(`http://localhost${path}`), { clientAddress: '203.0.113.9' });
  return [answer.status, answer.headers.get('location') ?? (await answer.text())];
};

describe('a business that takes another address', () => {
  beforeEach(unconfirmedOwners);

  test('is there at once, and is led to from the old one', async () => {
    const slug = fresh();
    const answer = await move(slug);
    expect(answer).toMatchObject({ status: 200, body: { details: { slug } } });
    expect((await acme.get('/api/authenticate')).body.user.slug).toBe(slug);
    expect(await page(`/t/${slug}`)).toEqual([200, slug]);
    expect(await page(`/t/${acme.slug}?from=van`)).toEqual([301, `/t/${slug}?from=van`]);
    expect(await page(`/t/${acme.slug.toUpperCase()}`)).toEqual([301, `/t/${slug}`]);
    expect(await page('/t/nobody-at-all')).toEqual([404, '']);
  });

  test('still gets what is sent to the old one, with and without JavaScript', async () => {
    const slug = fresh();
    await move(slug);
    expect((await sendForm(api, acme.slug, { title: 'By the old page' })).status).toBe(200);
    const posted = await api.send('POST', `/t/${acme.slug}`, {
      body: new URLSearchParams({ ...typedOnPage(), title: 'By an older page' }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...{ 'sec-fetch-site': 'same-origin' },
      },
    });
    expect(posted.headers.get('location')).toMatch(new RegExp(`^/t/${slug}/sent`));
    await api.settle();
    const { jobs } = (await acme.get('/api/jobs')).body;
    expect(jobs.map(({ title }: { title: string }) => title).sort()).toEqual([
      'By an older page',
      'By the old page',
    ]);
  });

  test('that took two more is led to from each of them, without a detour', async () => {
    const [second, third] = [fresh(), fresh()];
    for (const slug of [second, third]) await move(slug);
    expect(await page(`/t/${acme.slug}`)).toEqual([301, `/t/${third}`]);
    expect(await page(`/t/${second}`)).toEqual([301, `/t/${third}`]);
  });

  test('may come back to the old one, which then leads nowhere', async () => {
    const slug = fresh();
    await move(slug);
    expect(await isAvailable(acme.slug)).toBe(true);
    expect((await move(acme.slug)).status).toBe(200);
    expect(await page(`/t/${acme.slug}`)).toEqual([200, acme.slug]);
    expect(await page(`/t/${slug}`)).toEqual([301, `/t/${acme.slug}`]);
  });

  test('is asked to wait after five of them', async () => {
    for (let n = 0; n < 5; n += 1) expect((await move(fresh())).status).toBe(200);
    const sixth = await move(fresh());
    expect(sixth.status).toBe(409);
    expect(sixth.body.message).toBe('You have changed your address too often, please try again later');
    expect((await move(acme.slug)).status).toBe(200);
    const later = await daysLater(181, acme);
    expect((await move(fresh(), later)).status).toBe(200);
  });
});

describe('an address that was left', () => {
  beforeEach(unconfirmedOwners);

  test('is open to no other business for 180 days, then to any', async () => {
    await move(fresh());
    expect(await isAvailable(acme.slug, rival)).toBe(false);
    const refused = await move(acme.slug, rival);
    expect(refused).toMatchObject({ status: 409, body: { message: 'This domain is already taken.' } });
    expect(refused.body.fields).toEqual({ slug: 'Try a different URL' });

    const before = await daysLater(179.9, rival);
    expect(await isAvailable(acme.slug, before)).toBe(false);
    expect((await page(`/t/${acme.slug}`))[0]).toBe(301);
    const after = await daysLater(180.1, rival);
    expect((await page(`/t/${acme.slug}`))[0]).toBe(404);
    expect(await isAvailable(acme.slug, after)).toBe(true);
    expect((await move(acme.slug, after)).status).toBe(200);
    expect(await page(`/t/${acme.slug}`)).toEqual([200, acme.slug]);
    const back = await daysLater(181, acme);
    expect((await move(acme.slug, back)).status).toBe(409);
  });

  test('stays so when the former owner fails to come back', async () => {
    await move(fresh());
    dies = 'before';
    expect((await move(acme.slug)).status).toBe(500);
    dies = null;
    const later = await daysLater(1, rival);
    expect(await isAvailable(acme.slug, later)).toBe(false);
    expect((await page(`/t/${acme.slug}`))[0]).toBe(301);
  });
});

describe('a reservation of an address', () => {
  beforeEach(unconfirmedOwners);

  test('of six who want one address at once, one gets it', async () => {
    const slug = fresh();
    const others = await Promise.all(Array.from({ length: 6 }, () => api.signIn()));
    const answers = await Promise.all(others.map((who) => move(slug, who)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(5).fill(409)]);
  }, 60_000);

  test('by one business that asks for several at once ends with the one that it has', async () => {
    const wanted = [fresh(), fresh(), fresh()];
    const answers = await Promise.all(wanted.map((slug) => move(slug)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { slug } = (await acme.get('/api/authenticate')).body.user;
    const { rows } = await api.deps.db.query(
      `select key from state.reservations where owner = $1 and kind = 'slug' and status = 'kept'`,
      [acme.accountId],
    );
    expect(rows).toEqual([{ key: reservationKey(api.deps.config, 'slug', slug) }]);
  });

  test('a process that dies after the event leaves the address to its business all the same', async () => {
    const slug = fresh();
    dies = 'after';
    expect((await move(slug)).status).toBe(500);
    dies = null;
    await api.settle();
    const later = await daysLater(30, rival);
    expect(await isAvailable(slug, later)).toBe(false);
    expect(await page(`/t/${acme.slug}`)).toEqual([301, `/t/${slug}`]);
  });

  test('a hold whose event never came ends by itself', async () => {
    const slug = fresh();
    await holdAddress(api.deps, acme.accountId, slug);
    expect(await isAvailable(slug, rival)).toBe(false);
    ahead = 16 * 60_000;
    expect(await isAvailable(slug, rival)).toBe(true);
  });

  test('the address as typed finds the form, in any case', async () => {
    const found = await findForm(api.deps, acme.slug.toUpperCase());
    expect(found?.form.slug).toBe(acme.slug);
    expect(await findForm(api.deps, 'x')).toBeNull();
  });
});

function typedOnPage(): Record<string, string> {
  const { name, email, phone, address, title } = aJobRequest();
  return { name, email, phone, address, title, website: '' };
}
