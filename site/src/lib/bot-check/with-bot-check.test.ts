import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#site/lib/http/api.ts';
import { withBotCheck } from './with-bot-check.ts';

const check = { drop: vi.fn(), ticket: vi.fn(), scopes: [] as string[] };
const checked = <T>(send: (headers: Record<string, string>) => Promise<T>) =>
  withBotCheck(send, (scope) => {
    check.scopes.push(scope);
    return check;
  });

const needed = (price: number) =>
  new ApiError('We need to check', 400, {}, null, { botCheck: { scope: 'login', price } });
beforeEach(() => {
  check.scopes.length = 0;
  check.drop.mockReset();
  check.ticket.mockReset().mockResolvedValue({ kind: 'ok', payload: { ticket: 'the-ticket' } });
});

test('a request that is taken at once makes no check', async () => {
  expect(await checked(async (headers) => headers)).toEqual({});
  expect(check.ticket).not.toHaveBeenCalled();
});

test('where a check is asked for it is made at that price, and the request sent again with its ticket', async () => {
  const send = vi.fn<(headers: Record<string, string>) => Promise<string>>();
  send.mockRejectedValueOnce(needed(1)).mockRejectedValueOnce(needed(3)).mockResolvedValue('in');
  expect(await checked(send)).toBe('in');
  expect(send.mock.calls).toEqual([
    [{}],
    [{ 'x-bot-check': 'the-ticket' }],
    [{ 'x-bot-check': 'the-ticket' }],
  ]);
  expect(check.drop.mock.calls).toEqual([[1], [3]]);
  expect(check.scopes).toEqual(['login', 'login']);
});

test('other refusals, a check that is not passed and one without end are reported', async () => {
  const other = new ApiError('Invalid credentials', 401);
  await expect(checked(() => Promise.reject(other))).rejects.toBe(other);
  const endless = vi.fn(() => Promise.reject(needed(1)));
  await expect(checked(endless)).rejects.toThrow('We need to check');
  expect(endless).toHaveBeenCalledTimes(4);
  check.ticket.mockResolvedValue({ kind: 'lost' });
  await expect(checked(() => Promise.reject(needed(1)))).rejects.toThrow('We need to check');
});
