import { expect, type Page } from '@playwright/test';
import { unknownJob } from './page.ts';

type Shown = Readonly<{ at: string; heading: string | RegExp }>;

const login = (next = ''): Shown => ({
  at: next ? `/login?next=${encodeURIComponent(next)}` : '/login',
  heading: 'Login to Ute',
});
const shown = (at: string, heading: string | RegExp): Shown => ({ at, heading });
const wizard = shown('/register/tradie/region', 'Where are you based?');
/** A stage that a draft has not come to leads to the one that it has. */
const trades = shown('/register/tradie/trades', "What's your trade?");
const lost = (at: string) => shown(at, 'Page Not Found');
/** The specification's routes: where each leads a visitor, and where a starter business that is signed in. */
export const routes: Readonly<Record<string, Readonly<{ out: Shown; in: Shown }>>> = {
  '/': { out: login(), in: shown('/', 'Your jobs') },
  '/jobs': { out: login('/jobs/all'), in: shown('/jobs/all', 'All jobs') },
  '/jobs/all': { out: login('/jobs/all'), in: shown('/jobs/all', 'All jobs') },
  '/jobs/today': { out: login('/jobs/today'), in: shown('/jobs/today', 'Today') },
  '/jobs/new': { out: login('/jobs/new'), in: shown('/jobs/new', 'New') },
  '/jobs/in-progress': { out: login('/jobs/in-progress'), in: shown('/jobs/in-progress', 'In progress') },
  '/jobs/add': { out: login('/jobs/add'), in: shown('/jobs/add', 'Add new job') },
  '/jobs/as-at': { out: login('/jobs/as-at'), in: shown('/jobs/as-at', 'As it stood') },
  [unknownJob]: { out: login(unknownJob), in: shown(unknownJob, 'Job not found') },
  [`${unknownJob}/record`]: {
    out: login(`${unknownJob}/record`),
    in: shown(`${unknownJob}/record`, 'There is no record'),
  },
  [`${unknownJob}/as-at`]: {
    out: login(`${unknownJob}/as-at`),
    in: shown(`${unknownJob}/as-at`, 'Job not found'),
  },
  '/profile': { out: login('/profile'), in: shown('/profile', 'Business Profile') },
  '/profile/brand': { out: login('/profile/brand'), in: shown('/profile/brand', 'Customise appearance') },
  '/profile/reviews': { out: login('/profile/reviews'), in: shown('/', 'Your jobs') },
  '/profile/intro': { out: login('/profile/intro'), in: shown('/profile/intro', /./) },
  '/profile/form': { out: login('/profile/form'), in: shown('/profile/form', 'Enquiry form') },
  '/chatbot': { out: login('/chatbot'), in: shown('/chatbot', 'Kel, your Ute assistant') },
  '/register': { out: wizard, in: wizard },
  '/register/tradie': { out: wizard, in: wizard },
  '/register/tradie/coverage': { out: trades, in: trades },
  '/register/tradie/done': { out: trades, in: trades },
  '/login': { out: login(), in: login() },
  '/forgot-password': {
    out: shown('/forgot-password', 'Forgot password?'),
    in: shown('/forgot-password', 'Forgot password?'),
  },
  '/reset-password': { out: login(), in: login() },
  '/reset-password?t=nothing': {
    out: shown('/reset-password', 'Choose a new password'),
    in: shown('/reset-password', 'Choose a new password'),
  },
  '/book-demo': {
    out: shown('/book-demo', 'See Ute run your week'),
    in: shown('/book-demo', 'See Ute run your week'),
  },
  '/no/such/page': { out: lost('/no/such/page'), in: lost('/no/such/page') },
  '/logout': { out: login(), in: login() },
};

/** Its heading is in the bar that a laptop alone has. */
export const laptopRoute = '/chatbot';

/** The page that the path led to is the one that the specification has for it. Paths that are no route of it pass. */
export async function expectShown(page: Page, path: string, visitor: 'out' | 'in'): Promise<void> {
  const shows = routes[path]?.[visitor];
  if (!shows) return;
  await expect(page, path).toHaveURL(shows.at);
  await expect(page.getByRole('heading', { name: shows.heading }).first(), path).toBeVisible();
}
