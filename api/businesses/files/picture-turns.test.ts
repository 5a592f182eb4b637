import { expect, test } from 'vitest';
import { createPictureTurns, type PictureSender } from './picture-turns.ts';

const stranger = (source: string, businessId = 'acme'): PictureSender => ({
  rank: 'stranger',
  source,
  businessId,
});
const member: PictureSender = { rank: 'member', source: 'dave', businessId: 'acme' };
const small = { ofSource: 100, ofBusiness: 150 };
const outcome = (drawn: Promise<string>) => drawn.catch(({ status }) => status);

test('a member waits for no stranger, and of a stranger one picture is drawn and one waits', async () => {
  const turns = createPictureTurns();
  const { promise, resolve } = Promise.withResolvers<string>();
  const slow = [1, 2].map(() => turns.run(stranger('a'), () => promise));
  expect(await outcome(turns.run(stranger('a'), async () => 'third'))).toBe(429);
  expect(await turns.run(member, async () => 'photo')).toBe('photo');
  const other = turns.run(stranger('b'), async () => 'other');
  resolve('slow');
  expect(await Promise.all([...slow, other])).toEqual(['slow', 'slow', 'other']);
});

test('a source that has had its time waits, and others of the business go on until all have', async () => {
  const turns = createPictureTurns({ member: small, stranger: small });
  const draw = (sender: PictureSender) =>
    outcome(
      turns.run(sender, async (spend) => {
        spend(99.5);
        return 'drawn';
      }),
    );
  const tries = [stranger('a'), stranger('a'), stranger('b'), stranger('c'), stranger('c', 'rival'), member];
  const found: unknown[] = [];
  for (const sender of tries) found.push(await draw(sender));
  expect(found).toEqual(['drawn', 429, 'drawn', 429, 'drawn', 'drawn']);
});

test('what failed has cost its time all the same; where limits are off there is no budget', async () => {
  const turns = createPictureTurns({ member: small, stranger: small });
  const fail = (sender: PictureSender) =>
    turns.run(sender, (spend) => {
      spend(1_000);
      return Promise.reject(new Error('damaged'));
    });
  await expect(fail(stranger('a'))).rejects.toThrow('damaged');
  expect(await outcome(turns.run(stranger('a'), async () => 'drawn'))).toBe(429);
  const ours = { ...stranger('a', 'other'), source: null };
  await expect(fail(ours)).rejects.toThrow('damaged');
  expect(await turns.run(ours, async () => 'drawn')).toBe('drawn');
});
