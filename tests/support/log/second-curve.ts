/** The curve of Ed25519 for `second-check.ts`, from RFC 8032 alone. */
const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (n: bigint) => ((n % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
  let [result, b] = [1n, mod(base)];
  for (let e = exponent; e > 0n; e >>= 1n, b = mod(b * b)) if (e & 1n) result = mod(result * b);
  return result;
}

const inverse = (n: bigint) => power(n, P - 2n);
const D = mod(-121665n * inverse(121666n));
type Point = { x: bigint; y: bigint };

/** Affine, and complete: slow, and plain. */
function sum(a: Point, b: Point): Point {
  const t = mod(mod(D * a.x * b.x) * mod(a.y * b.y));
  return {
    x: mod((a.x * b.y + a.y * b.x) * inverse(1n + t)),
    y: mod((a.y * b.y + a.x * b.x) * inverse(1n - t)),
  };
}

const known = new Map<string, boolean>();

/** RFC 8032, section 5.1.3; and that L times the point is the neutral one, which it is not itself. */
export function isOfPrimeOrder(key: Buffer): boolean {
  const name = key.toString('hex');
  const found = known.get(name) ?? look(key);
  known.set(name, found);
  return found;
}

function look(key: Buffer): boolean {
  const n = BigInt(`0x${Buffer.from(key).reverse().toString('hex')}`);
  const [y, sign] = [n & (2n ** 255n - 1n), n >> 255n];
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x) !== square) x = mod(x * power(2n, (P - 1n) / 4n));
  if (y >= P || mod(x * x) !== square || (x === 0n && sign === 1n)) return false;
  if ((x & 1n) !== sign) x = mod(-x);
  const isNeutral = (point: Point) => point.x === 0n && point.y === 1n;
  let [result, doubled]: [Point, Point] = [
    { x: 0n, y: 1n },
    { x, y },
  ];
  for (let e = L; e > 0n; e >>= 1n, doubled = sum(doubled, doubled))
    if (e & 1n) result = sum(result, doubled);
  return isNeutral(result) && !isNeutral({ x, y });
}
