import { type } from 'arktype';
import { describe, expect, test } from 'vitest';
import { zoneOf } from '#api/businesses/place-of-business.ts';
import { normaliseApplicant } from '#api/registration/register.ts';
import { registrationProblems } from '#core/business/decider.ts';
import { checkCause, checkStorable } from '#core/event-store/storable.ts';
import { JobRequest } from '#core/job/request/job-request.ts';
import { slugSkeleton } from '#core/values/slug.ts';
import { isJobSlot } from '#core/values/time.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import { inventBusiness, mostBusinesses } from './invent-business.ts';
import { inventRequest } from './invent-job.ts';
import { places } from './places.ts';
import { createRandom } from './random-people.ts';
import { inventJobs, planProblem, seededStream, type VolumePlan } from './seed-volume.ts';

const now = new Date('2026-11-20T00:00:00.000Z');
const plan: VolumePlan = { businesses: 40, jobs: 500, heavy: 100, seed: 7, now };

function invent(wanted: VolumePlan) {
  const businesses = Array.from({ length: wanted.businesses }, (_, index) =>
    inventBusiness(wanted.seed, index),
  );
  const jobs = [...inventJobs(wanted, businesses)];
  return { businesses, jobs };
}

const { businesses, jobs } = invent(plan);

describe('invented businesses', () => {
  test.each(businesses.map((business) => [business.registration.slug, business] as const))(
    '%s passes the rules of a registration',
    (_, { registration, businessId, place }) => {
      const registered = { ...registration, password: 'Seed-12345-67890-7' };
      expect(normaliseApplicant(registered)).toMatchObject(registration);
      const { region, coverage, tagline = '' } = registered;
      const timeZone = zoneOf({ location: coverage }, region);
      expect(timeZone).toBe(place.timeZone);
      const named = { ...registered, tagline, timeZone };
      expect(registrationProblems({ ...named, businessId, accountId: businessId })).toEqual({});
    },
  );

  test('no two share an email, a mobile or an address', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => inventBusiness(2, index).registration);
    for (const field of ['email', 'phone', 'slug'] as const) {
      expect(new Set(many.map((registration) => registration[field])).size).toBe(many.length);
    }
    expect(new Set(many.map(({ slug }) => slugSkeleton(slug))).size).toBe(many.length);
  });

  test('seeds that stand beside each other do not reserve what is another one’s', () => {
    const reserved = [1, 2, 3].flatMap((seed) =>
      Array.from({ length: 2_000 }, (_, index) => inventBusiness(seed, index).registration.phone),
    );
    expect(new Set(reserved).size).toBe(reserved.length);
  });
});

describe('invented requests', () => {
  const requests = Array.from({ length: 400 }, (_, index) => {
    const business = inventBusiness(1, index % 30);
    return { business, request: inventRequest(createRandom('request', index), business) };
  });

  test('all pass the public form', () => {
    const refused = requests
      .map(({ request }) => JobRequest(request))
      .filter((one) => one instanceof type.errors);
    expect(refused).toEqual([]);
  });

  test('phones are the region’s own, and of no customer', () => {
    for (const { business, request } of requests) {
      const { region } = business.registration;
      expect(readPhone(request.phone, region)).toBe(request.phone);
      expect(request.phone).toMatch(region === 'au' ? /^\+6149157\d{4}$/ : /^\+6425\d{7}$/);
      expect(request.email).toMatch(/@example\.(com|org|net)$/);
    }
  });

  test('the street stands in the suburb of the postcode', () => {
    const known = new Set(
      Object.values(places).flatMap((all) =>
        all.flatMap(({ streets, written }) => streets.map((street) => street + written)),
      ),
    );
    for (const { request } of requests) expect(known).toContain(request.address.replace(/^[\d/]+ /, ''));
  });

  test('Māori names keep their macrons', () => {
    expect(requests.filter(({ request }) => /[āēīōū]/i.test(request.name)).length).toBeGreaterThan(10);
  });
});

describe('invented jobs', () => {
  test('are as many as planned, and the heavy business has its own', () => {
    const heavy = businesses[0]?.businessId;
    const own = jobs.filter(({ commands }) => commands[0]?.data.businessId === heavy);
    expect([jobs.length, own.length]).toEqual([600, 100]);
  });

  test('become events that the log can hold', () => {
    for (const job of jobs) {
      const { history } = seededStream(job);
      expect(history.length).toBeGreaterThan(0);
      for (const { events, context } of history) {
        checkStorable(events);
        checkCause(context);
      }
    }
  });

  test('go forward in time and never past now', () => {
    const latest = now.toISOString();
    for (const { commands } of jobs) {
      const times = commands.map(({ at }) => at);
      expect(times).toEqual(times.toSorted());
      expect(times.at(-1)?.localeCompare(latest)).toBeLessThanOrEqual(0);
    }
  });

  test('meet every status, and are scheduled in slots of the business’s day, past and to come', () => {
    const events = jobs.flatMap((job) => seededStream(job).history.flatMap(({ events }) => events));
    const types = new Set(events.map(({ event }) => event.type));
    expect(types.size).toBe(9);
    const heavy = jobs.flatMap(({ commands }) => commands).filter(({ type: name }) => name === 'ScheduleJob');
    const times = heavy.flatMap(({ data }) => ('scheduledAt' in data && data.scheduledAt ? [data] : []));
    const zones = new Map(businesses.map(({ businessId, place }) => [businessId, place.timeZone]));
    for (const { businessId, scheduledAt } of times) {
      const timeZone = zones.get(businessId) ?? '';
      const slot = new Date(scheduledAt ?? '').toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' });
      expect(isJobSlot(slot), `${scheduledAt} is ${slot} in ${timeZone}`).toBe(true);
    }
    const instants = times.map(({ scheduledAt }) => Date.parse(scheduledAt ?? ''));
    expect(Math.min(...instants)).toBeLessThan(now.getTime());
    expect(Math.max(...instants)).toBeGreaterThan(now.getTime());
  });

  test('are the same for the same plan, and others for another seed', () => {
    expect(invent(plan)).toEqual({ businesses, jobs });
    const others = new Set(invent({ ...plan, seed: 8 }).jobs.map(({ jobId }) => jobId));
    expect(jobs.filter(({ jobId }) => others.has(jobId))).toEqual([]);
  });
});

test.each([
  [{ businesses: 0 }, '--businesses'],
  [{ businesses: mostBusinesses + 1 }, '--businesses'],
  [{ jobs: -1 }, 'whole'],
  [{ jobs: Number.NaN }, 'whole'],
  [{ businesses: 1 }, 'at least two'],
  [{ seed: 0 }, '--seed'],
])('a plan with %j is refused', (change, message) => {
  expect(planProblem({ ...plan, ...change })).toContain(message);
  expect(planProblem(plan)).toBeNull();
});
