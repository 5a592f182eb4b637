import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { sendForm } from './job-requests.ts';

export const MINUTE = 60_000;

/**
 * An app for a test file in which the limits of public forms count, and clients are told apart by `x-forwarded-for`. Each test has a
 * business of its own, `acme`, and begins 26 hours after the one before, so that no limit remembers that.
 */
export function limitedForms() {
  let at = Date.parse('2026-11-03T01:00:00.000Z');
  let app: TestApp;
  let acme: SignedIn;
  const now = () => new Date(at);
  beforeAll(async () => {
    app = await testApp({ now, env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
  });
  beforeEach(async () => {
    at += 26 * 60 * MINUTE;
    acme = await app.signIn();
  });
  afterAll(() => app?.close());

  /** A client at this address. */
  const from = (address: string) => app.as({ 'x-forwarded-for': address });
  return {
    get app() {
      return app;
    },
    get acme() {
      return acme;
    },
    now,
    /** Moves the clock, by milliseconds. */
    pass(ms: number): void {
      at += ms;
    },
    from,
    /** A request to the business by its page; the same key sends the same. */
    post: (address: string, key: string = crypto.randomUUID()) =>
      sendForm(from(address), acme.slug, { title: `Job ${key}` }, { 'idempotency-key': key }),
  };
}
