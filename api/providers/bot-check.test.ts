import { randomBytes } from 'node:crypto';
import type { Challenge, Solution } from 'altcha-lib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { payloadOf, solve } from '#tests/support/app/api-client.ts';
import { createAltchaBotCheck } from './bot-check.ts';

const secret = randomBytes(32);
const botCheck = createAltchaBotCheck({ secret, cost: 2 });
const now = new Date('2026-03-02T09:00:00Z');
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

let challenge: Challenge;
let solution: Solution;
beforeAll(async () => {
  challenge = (await botCheck.challenge({ scope: 'public-form', price: 1 }, now)) as Challenge;
  solution = await solve(challenge);
});

const verify = (payload: string, at = now) => botCheck.verify('public-form', payload, at);

describe('a proof of work', () => {
  test('passes when it was done, and names itself the same way each time', async () => {
    const first = await verify(payloadOf(challenge, solution));
    expect(first).toEqual({
      ...{ passed: true, id: challenge.parameters.nonce, price: 1 },
      ...{ begunAt: now, expiresAt: inMinutes(5) },
    });
    expect(await verify(payloadOf(challenge, solution))).toEqual(first);
  });

  test('is so many times the work that its price says, and tells the price', async () => {
    const dear = (await botCheck.challenge({ scope: 'public-form', price: 4 }, now)) as Challenge;
    expect(dear.parameters.cost).toBe(4 * challenge.parameters.cost);
    expect(await verify(payloadOf(dear, await solve(dear)))).toMatchObject({ passed: true, price: 4 });
  });

  test('lives five minutes', async () => {
    const payload = payloadOf(challenge, solution);
    expect(await verify(payload, new Date(inMinutes(5).getTime() - 1))).toMatchObject({ passed: true });
    expect(await verify(payload, inMinutes(5))).toEqual({ passed: false, reason: 'expired' });
  });

  test('counts for its own scope alone', async () => {
    expect(await botCheck.verify('registration', payloadOf(challenge, solution), now)).toEqual({
      passed: false,
      reason: 'other-scope',
    });
  });

  test('fails without the work', async () => {
    const guess = { ...solution, derivedKey: `${challenge.parameters.keyPrefix}${'0'.repeat(32)}` };
    expect(await verify(payloadOf(challenge, guess))).toEqual({ passed: false, reason: 'wrong' });
  });

  test('fails when the challenge was changed or is another installation’s', async () => {
    const cheaper = { ...challenge, parameters: { ...challenge.parameters, cost: 1 } };
    const later = { scope: 'public-form', price: 1, expiresAt: inMinutes(60).getTime() };
    const longer = { ...challenge, parameters: { ...challenge.parameters, data: later } };
    const stranger = createAltchaBotCheck({ secret: randomBytes(32), cost: 2 });
    const foreign = (await stranger.challenge({ scope: 'public-form', price: 1 }, now)) as Challenge;
    const dear = { ...challenge.parameters.data, price: 4 };
    const dearer = { ...challenge, parameters: { ...challenge.parameters, data: dear } };
    for (const payload of [
      payloadOf(cheaper, solution),
      payloadOf(dearer, solution),
      payloadOf(longer, solution),
      payloadOf(foreign, await solve(foreign)),
    ]) {
      expect(await verify(payload)).toEqual({ passed: false, reason: 'wrong' });
    }
  });

  test('never throws, whatever is sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json().map(base64), fc.base64String()), async (text) => {
        expect(await verify(text)).toEqual({ passed: false, reason: 'wrong' });
      }),
    );
    const deep = btoa(`{"challenge":${'['.repeat(1_000)}${']'.repeat(1_000)}}`);
    expect(await verify(deep)).toEqual({ passed: false, reason: 'wrong' });
    expect(await verify('x'.repeat(100_000))).toEqual({ passed: false, reason: 'wrong' });
  });
});

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
