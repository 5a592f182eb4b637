import { idsOfCommand } from '#api/registration/register.ts';
import type { SeededBusiness } from '#api/seed/seed-business.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { Region } from '#core/values/region.ts';
import { slugLength } from '#core/values/slug.ts';
import { themeColours } from '#core/values/theme-colours.ts';
import { type Place, places } from './places.ts';
import { createRandom, inventName, plainWords, type Random } from './random-people.ts';
import { type Trade, trades } from './trades.ts';

/** A business to open; jobs are invented from where it is and what it does. `commandId` is its registration's. */
export type InventedBusiness = Readonly<{
  commandId: string;
  businessId: string;
  registration: Omit<SeededBusiness, 'password'>;
  trade: Trade;
  place: Place;
}>;

/** Where the ids of everything that is seeded in bulk come from. */
const VOLUME = '5b0c1f0a-6a1e-5a53-9d0b-0f5b5f1f2c11';
const DAY_MS = 86_400_000;
/** Mobiles of invented owners in Australia: the block that its numbers for fiction lie in, above the demo's own. */
const OWNERS = { first: 1_000, room: 9_000, perSeed: 2_250 } as const;

/** How many businesses one seed can hold before two owners would have one mobile. */
export const mostBusinesses = OWNERS.room;

/** The namespace of a seed's ids. */
export function volumeId(seed: number): string {
  return uuidV5(VOLUME, `seed ${seed}`);
}

/** The business with this number (from 0) of a seed: always the same one. The first is in New Zealand. */
export function inventBusiness(seed: number, index: number): InventedBusiness {
  const random = createRandom(seed, 'business', index);
  const region: Region = index === 0 || random.chance(0.3) ? 'nz' : 'au';
  const place = random.pick(places[region]);
  const trade = random.pick(trades);
  const commandId = uuidV5(volumeId(seed), `business/${index}`);
  const registration = { ...inventRegistration(random, { seed, index, region, place, trade }) };
  return { commandId, businessId: idsOfCommand(commandId).businessId, registration, trade, place };
}

/** When a seed's business came to Ute: a year and a little before `now`. */
export function registeredAt(index: number, now: Date): Date {
  return new Date(now.getTime() - 370 * DAY_MS - (index % 1_440) * 60_000);
}

type Asked = Readonly<{ seed: number; index: number; region: Region; place: Place; trade: Trade }>;

function inventRegistration(random: Random, { seed, index, region, place, trade }: Asked) {
  const owner = inventName(random, region);
  const called = random.chance(0.6) ? owner.lastName : place.suburb;
  const tradingName = `${called} ${trade.work}`;
  const slug = slugOf(tradingName, `${seed}x${index}`);
  const email = `${plainWords(owner.firstName)}@${slug}.example`;
  const phone = region === 'au' ? ownersMobile(seed, index) : `+6425${seedNumber(seed, index)}`;
  return {
    ...{ ...owner, email, phone, region, slug, tradingName },
    plan: random.pick(['starter', 'plus', 'plus', 'pro'] as const),
    bn: region === 'au' ? inventAbn(random) : inventNzbn(random),
    name: `${tradingName} ${region === 'au' ? 'Pty Ltd' : 'Limited'}`,
    tagline: `${trade.people}${place.written}`.replace(/ \d{4}$/, ''),
    coverage: { lat: place.lat, lng: place.lng, radius: random.between(5, 40) * 1_000 },
    theme: random.pick(themeColours),
    intro: `${trade.people} in ${place.suburb} since ${random.between(1978, 2022)}. We turn up when we say we will.`,
    trades: [trade.id],
    contact: { phone: null, email },
  };
}

/**
 * At most 20 characters, of which the last ones are this business's alone: decimal digits, because letters among them would
 * read like digits of another one. Words that do not fit are left out.
 */
function slugOf(name: string, suffix: string): string {
  const room = slugLength.max - suffix.length - 1;
  const words = plainWords(name).slice(0, room + 1);
  const whole = words.length <= room ? words : words.slice(0, Math.max(words.lastIndexOf('-'), 0));
  return `${whole || words.slice(0, room)}-${suffix}`;
}

function ownersMobile(seed: number, index: number): string {
  const place = ((seed - 1) * OWNERS.perSeed + index) % OWNERS.room;
  return `+6149157${String(OWNERS.first + place).padStart(4, '0')}`;
}

function seedNumber(seed: number, index: number): string {
  return `${String(seed % 100).padStart(2, '0')}${String(index).padStart(5, '0')}`;
}

/** Two check digits in front of nine digits, so that the weighted sum divides by 89. */
function inventAbn(random: Random): string {
  const body = String(random.between(100_000_000, 999_999_999));
  const weights = [3, 5, 7, 9, 11, 13, 15, 17, 19];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(body[index]), 0);
  return `${10 + ((89 - (sum % 89)) % 89)}${body}`;
}

/** 9429, eight digits and the check digit of every GS1 number. */
function inventNzbn(random: Random): string {
  const body = `9429${random.between(10_000_000, 99_999_999)}`;
  const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}
