import { type BrowserContext, expect, type Frame, type Locator, type Page } from '@playwright/test';
import type { JobView } from '#core/job/view.ts';
import { type Profile, sessionUser } from '#site/lib/profile.ts';
import { type Session, sessionKey } from '#site/lib/session/session-storage.ts';
import { changeAnswer } from './page.ts';

const from = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is set by the global setup of the browser tests`);
  return value;
};

/** Signs the demo tradie in through the API and opens one of their pages; `/` is waited for. */
export async function signIn(page: Page, path = '/'): Promise<AskApi> {
  const ask = await logInByApi(page, demo());
  await page.goto(path);
  if (path === '/') await expect(page.getByRole('heading', { name: 'Your jobs' })).toBeVisible();
  return ask;
}

/** The demo tradie's email and password, for the tests of signing in itself. */
export const demo = () => ({ email: from('UTE_DEMO_EMAIL'), password: from('UTE_DEMO_PASSWORD') });

/** Types a login into the page that shows the form, and sends it. */
export async function logIn(page: Page, { email, password } = demo()): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** The address of the demo business's public form. */
export const publicForm = (): string => from('UTE_PUBLIC_FORM');

/** A customer that no other test of the run uses. */
export function aCustomer(title: string) {
  // Letters alone: eight digits would be a phone number, which a job that waits does not show.
  const unique = crypto
    .randomUUID()
    .slice(0, 8)
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  return {
    title: `${title} ${unique}`,
    address: '14 Blyth St, Brunswick VIC 3056',
    name: 'Aroha Tāwhiri',
    phone: '0491 570 156',
    email: `aroha.${unique}@example.com`,
  };
}
export type Customer = ReturnType<typeof aCustomer>;

/** Fills in what the public form asks of everyone. */
export async function fillRequest(page: Page, customer: Customer): Promise<void> {
  await page.getByLabel('In a few words').fill(customer.title);
  // Its suggestions bear the same label.
  await page.getByLabel('Job address').and(page.locator('input')).fill(customer.address);
  await page.getByLabel('Full name').fill(customer.name);
  await page.getByLabel('Phone number').fill(customer.phone);
  await page.getByLabel('Email address').fill(customer.email);
}

/** Sends a filled form and waits for the page that says so. */
export async function sendRequest(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Send to/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Sent to/ })).toBeVisible();
}

/** A customer's whole visit. */
export async function requestJob(page: Page, customer: Customer, form = publicForm()): Promise<void> {
  await page.goto(form);
  await fillRequest(page, customer);
  await sendRequest(page);
}

/** The same request without a page, as a browser without JavaScript posts it. */
export async function postRequest(
  page: Page,
  customer: Customer & { description?: string; wishedTime?: string; isUrgent?: string },
  form = publicForm(),
): Promise<void> {
  const answer = await page.request.post(form, {
    form: customer,
    headers: { 'sec-fetch-site': 'same-origin' },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
}

/** Opens a list as the signed-in tradie. */
export async function openList(page: Page, view: string): Promise<void> {
  await signIn(page, `/jobs/${view}?view=${view}`);
  await expect(page.getByRole('article').first()).toBeVisible();
}

/** A job that no other test of the run touches, and its card: the New list narrowed to it. */
export async function newJob(page: Page, title: string): Promise<{ customer: Customer; card: Locator }> {
  const customer = aCustomer(title);
  await postRequest(page, customer);
  await signIn(page, newJobPath(customer));
  const card = page.getByRole('article', { name: customer.title });
  await expect(card).toBeVisible();
  return { customer, card };
}

/** Where the New list shows that customer's job alone, however many others there are. */
export const newJobPath = ({ title }: Customer) => `/jobs/new?view=new&search=${encodeURIComponent(title)}`;

type Login = Readonly<{ email: string; password: string }>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Asks the API as one account, at a path below `/api`. Fails the test on any answer but 'ok'. */
export type AskApi = <T = unknown>(method: Method, path: string, data?: unknown) => Promise<T>;

/**
 * Logs an account in through the API and leaves its session in the page's browser, stored as 'Keep me signed in' stores
 * it. No page is loaded: whatever opens next is signed in.
 */
export async function logInByApi(page: Page, { email, password }: Login): Promise<AskApi> {
  const login = await asker(page)<{ token: string; user: Profile }>('POST', '/authenticate/login', {
    ...{ email, password, rememberMe: true },
  });
  const session: Session = { token: login.token, rememberMe: true, user: sessionUser(login.user) };
  const { origin } = new URL(process.env.UTE_URL ?? '');
  await storeAtFirst(page.context(), origin, { name: sessionKey, value: JSON.stringify(session) });
  return asker(page, login.token);
}

const blank = 'about:blank';

/**
 * Stores an item as the first page opens, which does not find it again after that. A window that shows a page already gets it at
 * once, by a page that Playwright opens for it and that costs half as much as one that is looked at.
 */
async function storeAtFirst(
  context: BrowserContext,
  origin: string,
  item: Readonly<{ name: string; value: string }>,
): Promise<void> {
  if (context.pages().some((open) => open.url() !== blank))
    return context.setStorageState({ cookies: [], origins: [{ origin, localStorage: [item] }] });
  const script = await context.addInitScript(
    // What a page itself leads to has a referrer: it may have removed the item meanwhile.
    ({ origin, name, value }) => {
      if (location.origin === origin && document.referrer === '') localStorage.setItem(name, value);
    },
    { origin, ...item },
  );
  const end = async (frame: Frame) => {
    if (frame.url() === blank) return;
    context.off('framenavigated', end);
    // A window that closes takes it along.
    await script.dispose().catch(() => {});
  };
  context.on('framenavigated', end);
}

function asker(page: Page, token?: string): AskApi {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  return async (method, path, data) => {
    const options = data === undefined ? { method, headers } : { method, headers, data };
    const answer = await page.request.fetch(`/api${path}`, options);
    expect(answer.ok(), `${method} ${path} answers ${answer.status()}`).toBe(true);
    return answer.json();
  };
}

type JobOptions = Readonly<{
  /** Whether the tradie accepts it; they do. */
  accepted?: boolean;
  /** What the server is made to say of it besides. */
  changes?: Partial<JobView>;
}>;

/** The details of a job that no other test of the run touches. */
export async function openJob(
  page: Page,
  title: string,
  { accepted = true, changes }: JobOptions = {},
): Promise<Customer & { id: string; ask: AskApi }> {
  const customer = aCustomer(title);
  await postRequest(page, customer);
  const ask = await logInByApi(page, demo());
  const search = new URLSearchParams({ search: customer.title });
  const found = async () =>
    (await ask<{ jobs: { id: string }[] }>('GET', `/jobs?${search}`)).jobs[0]?.id ?? '';
  await expect.poll(found, { intervals: [50, 100, 200] }).not.toBe('');
  const id = await found();
  if (accepted) await ask('PUT', `/jobs/${id}/accept`);
  if (changes) await changeAnswers(page, changes);
  await page.goto(`/jobs/details/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: customer.title })).toBeVisible();
  return { ...customer, id, ask };
}

async function changeAnswers(page: Page, changes: Partial<JobView>): Promise<void> {
  await page.route(/\/api\/jobs\/[0-9a-f-]{36}(\/accept)?$/, (route) =>
    changeAnswer<{ job: JobView }>(route, (answer) => ({ ...answer, job: { ...answer.job, ...changes } })),
  );
}

type EmbeddedMessage = Readonly<{ id: string; to: string; subject?: string; text: string }>;

/** Waits for the newest message to an address or number that the embedded outbox took, whose text holds `words`. */
export async function messageTo(page: Page, to: string, words: string): Promise<EmbeddedMessage> {
  let found: EmbeddedMessage | undefined;
  await expect(async () => {
    const answer = await page.request.get(`/dev/outbox/messages.json?to=${encodeURIComponent(to)}`);
    const { messages } = (await answer.json()) as { messages: EmbeddedMessage[] };
    found = messages.find(({ subject = '', text }) => `${subject}\n${text}`.includes(words));
    expect(found, `a message to ${to} with "${words}"`).toBeDefined();
  }).toPass({ intervals: [50, 100, 200, 500], timeout: 20_000 });
  return found as EmbeddedMessage;
}

/** The first link of a message, as path and query of the product under test. */
export function linkOf({ text }: EmbeddedMessage): string {
  const url = URL.parse(/https?:\/\/\S+/.exec(text)?.[0] ?? '');
  if (!url) throw new Error('the message has no link');
  return url.pathname + url.search;
}

/** A job that no other test of the run adds. Its customer's phone and email are unique too. */
export function aTypedJob(title: string) {
  const digits = String(Math.floor(Math.random() * 1e6)).padStart(6, '0');
  const phone = `0491 ${digits.slice(0, 3)} ${digits.slice(3)}`;
  return { ...aCustomer(title), phone, address: '14 Blyth St, Brunswick' };
}
export type TypedJob = ReturnType<typeof aTypedJob>;

export const jobForm = (page: Page): Locator => page.getByRole('form', { name: 'Add new job' });
export const createButton = (page: Page): Locator => page.getByRole('button', { name: 'Create Job' });
export const addressBox = (page: Page): Locator => page.getByRole('combobox', { name: 'Job address' });

/** Types a job in, its address taken as it is. */
export async function typeJob(page: Page, job: TypedJob): Promise<void> {
  const form = jobForm(page);
  await form.getByLabel('Full name').fill(job.name);
  await form.getByLabel('Email address').fill(job.email);
  await form.getByLabel('Phone number').fill(job.phone);
  await form.getByLabel('Job title').fill(job.title);
  await takeAddress(page, job.address);
}

/** Types an address and takes the last row of the list. */
export async function takeAddress(page: Page, address: string): Promise<void> {
  await addressBox(page).fill(address);
  await page.getByRole('option', { name: `Use this address ${address}` }).click();
  await expect(addressBox(page)).toHaveValue(address);
}

const dayLength = 86_400_000;
const asDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Which days a mocked schedule has jobs on, by their distance from today in UTC, and how many. */
export type JobsOn = (daysFromToday: number) => number;

/** Answers the schedule with as many jobs as asked for, 500 cards a page, as the API does. */
export async function mockSchedule(page: Page, jobsOn: JobsOn): Promise<void> {
  await page.route('**/api/jobs/schedule*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const today = Date.parse(`${asDay(Date.now())}T00:00:00Z`);
    const [from, to] = [
      query.get('from') ?? asDay(today - 90 * dayLength),
      query.get('to') ?? asDay(today + 89 * dayLength),
    ];
    const days = Array.from({ length: 180 }, (_, place) => place - 90)
      .map((distance) => ({ date: asDay(today + distance * dayLength), count: jobsOn(distance) }))
      .filter(({ date, count }) => from <= date && date <= to && count > 0);
    const jobs = days.flatMap(({ date, count }) =>
      Array.from({ length: count }, (_, place) => aJob(date, place)),
    );
    const first = (Number(query.get('page') ?? 1) - 1) * 500;
    const page = { jobs: jobs.slice(first, first + 500), more: jobs.length > first + 500 };
    const overdue = { count: 0, jobs: [] };
    const answer = { status: 'ok', timeZone: 'UTC', today: asDay(today), days, overdue };
    return route.fulfill({ json: { ...answer, ...page } });
  });
}

function aJob(date: string, place: number) {
  const hour = String(8 + (place % 10)).padStart(2, '0');
  return {
    ...{ id: `${date}-${place}`, type: 'Consumer', status: 'In progress', title: `Job ${place} of ${date}` },
    ...{
      isUrgent: place % 5 === 0,
      scheduledAt: `${date}T${hour}:00:00Z`,
      createdAt: '2026-01-01T00:00:00Z',
      noLongerNeededAt: null,
    },
    ...{ name: 'A', phone: '+61491570156', email: 'a@example.com', revision: 0 },
    location: { address: `${place} A Street, Brunswick VIC 3056`, placeId: null, lat: null, lng: null },
  };
}

/** Opens the month of a picker that a phone folds to a week. */
export async function openMonth(page: Page): Promise<void> {
  const month = page.getByRole('button', { name: /^\w+ 20\d\d$/, expanded: false });
  await month.click();
}
