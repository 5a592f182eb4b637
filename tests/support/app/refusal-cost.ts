/** What the worst refused body may cost, as a multiple of a plain refusal by the same route. */
export const REFUSAL_COST = 20;

const ROUNDS = 21;
/** A try takes some 40 ms: all of them outlast a compilation or a collection of garbage that slows one of the two. */
const TRIES = 40;
const PER_ROUND = { plain: 20, worst: 5 } as const;
/** Calls before anything is measured, until the code is compiled. */
const WARM_UP = 200;
/** No body of JSON is longer, logos apart. */
const LIMIT = 64 * 1024;

/**
 * Processor time of `worst`, as a multiple of that of `plain`: of many rounds, in which both take turns, the cheapest of each.
 * Time on the clock is not looked at. Collecting garbage, compiling and what else a machine does can only add to a round, and what
 * really costs more does so in every one. A figure above `REFUSAL_COST` is measured again, `TRIES` times in all, and the lowest is
 * answered.
 */
export async function refusalCost(
  plain: () => Promise<unknown>,
  worst: () => Promise<unknown>,
): Promise<number> {
  await spent(plain, WARM_UP);
  await spent(worst, WARM_UP);
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > REFUSAL_COST; tries += 1) {
    const rounds: { plain: number; worst: number }[] = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      rounds.push({ plain: await spent(plain, PER_ROUND.plain), worst: await spent(worst, PER_ROUND.worst) });
    }
    const cheapest = (of: 'plain' | 'worst') => Math.min(...rounds.map((round) => round[of]));
    const ratio = cheapest('worst') / cheapest('plain');
    least = Math.min(least, ratio);
  }
  return least;
}

/** Microseconds of processor time for one call, over `count` of them. */
async function spent(call: () => Promise<unknown>, count: number): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < count; n += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/**
 * Bodies that cost most to refuse, for a route whose schema has these fields: at the limits of JSON's shape (`http/body/body.ts`)
 * and beyond them, with wrong values in every field. Each is at most 64 KiB.
 */
export function worstBodies(fields: readonly string[]): readonly (readonly [name: string, json: string])[] {
  const inEach = (value: unknown) =>
    JSON.stringify(Object.fromEntries(fields.map((field) => [field, value])));
  const objectOf = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, n]));
  const listOf = <T>(length: number, one: T) => Array<T>(length).fill(one);
  const share = Math.max(1, Math.floor(1_900 / fields.length));
  const room = Math.floor((LIMIT - 2_000) / fields.length);
  const [first = 'x'] = fields;
  const text = (part: string) => `{"${first}":"${part.repeat(Math.floor((LIMIT - 100) / part.length))}"}`;
  return [
    ['100 objects of 100 keys', JSON.stringify(listOf(50, objectOf(100)))],
    ['19 objects of 99 keys', JSON.stringify(listOf(19, objectOf(99)))],
    ['the same in a field', JSON.stringify({ [first]: listOf(19, objectOf(99)) })],
    ['100 keys that no schema knows', JSON.stringify(objectOf(100))],
    ['5,000 keys', JSON.stringify(objectOf(5_000))],
    ['a number in every field', inEach(7)],
    ['an object in every field', inEach({})],
    ['100 keys in every field', inEach(objectOf(Math.min(99, share)))],
    ['a list in every field', inEach(listOf(share - 1, 0))],
    ['a list of objects in every field', inEach(listOf(Math.floor(share / 2), { a: 1 }))],
    ['1,990 texts in one field', JSON.stringify({ [first]: listOf(1_990, 'x') })],
    ['2,001 values', JSON.stringify(listOf(2_001, null))],
    ['30,000 numbers', `[${listOf(30_000, '1').join(',')}]`],
    ['18 levels, a hundred times', `[${listOf(100, '['.repeat(18) + ']'.repeat(18)).join(',')}]`],
    ['60,000 levels', '['.repeat(60_000)],
    ['10,000 objects in one another', '{"a":'.repeat(10_000)],
    ['64 KiB of escapes', text(String.raw`\u0041`)],
    ['64 KiB of short escapes', text('\\n')],
    ['64 KiB of quotes', text('\\"')],
    ['64 KiB of backslashes', text('\\\\')],
    ['64 KiB of escapes in a key', text(String.raw`\u0041`).replace(/^\{"\w+":(".*")\}$/, '{$1:1}')],
    ['half a surrogate pair behind 64 KiB', text('a').replace('"}', '\\ud800"}')],
    ['a long text in every field', inEach('a'.repeat(room))],
    ['a long text of spaces in every field', inEach(' '.repeat(room))],
    ['a long text of @ in every field', inEach('@.'.repeat(room / 2))],
    ['a long text of digits in every field', inEach('0'.repeat(room))],
    ['a number of 60,000 digits', `{"${first}":${'1'.repeat(60_000)}}`],
    ['64 KiB of spaces', ' '.repeat(LIMIT)],
    ['64 KiB of letters', 'a'.repeat(LIMIT)],
  ];
}
