import { createHash } from 'node:crypto';
import { faker } from '@faker-js/faker/locale/en_AU';
import { fictionalMobiles } from '#api/seed/fictional-mobiles.ts';
import type { Region } from '#core/values/region.ts';

/** Chance that always falls the same way for the same key. */
export type Random = Readonly<{
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number from `least` to `most`, both inclusive. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
}>;

/** A source of its own for each key, so that what is invented does not depend on the order of inventing. */
export function createRandom(...key: readonly (string | number)[]): Random {
  let state = createHash('sha256').update(key.join('/')).digest().readUInt32LE(0);

  function next(): number {
    // Mulberry32: 32 bits of state are plenty for the few draws of one key.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function at<T>(from: readonly T[], share: number): T {
    const found = from[Math.floor(share * from.length)];
    if (found === undefined) throw new RangeError('nothing to pick from');
    return found;
  }

  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (from) => at(from, next()),
    chance: (probability) => next() < probability,
  };
}

/** A person who does not exist. `phone` in E.164; `email` at a domain that is reserved for examples. */
export type Person = Readonly<{ firstName: string; lastName: string; email: string; phone: string }>;

const words = (text: string) => text.trim().split(/\s+/);

/** Faker has no New Zealand: these are beside the names that both countries share. */
const ofNewZealand = {
  firstNames:
    words(`Aroha Mere Hēmi Rāwiri Wiremu Tāne Māia Kahurangi Ngaio Tūī Marama Hōne Anahera Pānia Rangi Kōwhai
    Matiu Hinemoa Tamati Manaia Te-Ariki Sione Mele Tevita Sina Ioane Lupe`),
  lastNames:
    words(`Ngata Parata Tāwhiri Pōtae Wīhongi Māhuta Rāpana Hōhepa Tamihana Te-Rangi Ruatapu Kereama Paewai
    Tīpene Hēnare Rēweti Waititi Tupou Faleolo Leavasa Tuilagi Fonoti Kaufusi`),
};

/** Inventing people takes long beside picking one: each country has so many, who come again as customers do. */
const RESIDENTS = 2_000;
const residents = new Map<Region, readonly Omit<Person, 'phone'>[]>();

/** An invented customer. New Zealand keeps no numbers for fiction: 025 is the prefix of a network that was closed. */
export function inventPerson(random: Random, region: Region): Person {
  return { ...residentOf(random, region), phone: inventPhone(random, region) };
}

function inventPhone(random: Random, region: Region): string {
  if (region === 'au') return random.pick(fictionalMobiles);
  return `+6425${random.between(2_000_000, 9_999_999)}`;
}

/** A full name, of two surnames now and then. Māori names have their macrons. */
export function inventName(random: Random, region: Region): Pick<Person, 'firstName' | 'lastName'> {
  const { firstName, lastName } = residentOf(random, region);
  return { firstName, lastName };
}

function residentOf(random: Random, region: Region): Omit<Person, 'phone'> {
  const known = residents.get(region) ?? settle(region);
  residents.set(region, known);
  return random.pick(known);
}

/** The people of a country: always the same ones, whatever was invented before. */
function settle(region: Region): Omit<Person, 'phone'>[] {
  faker.seed(region === 'au' ? 61 : 64);
  return Array.from({ length: RESIDENTS }, () => {
    const isOfNewZealand = region === 'nz' && faker.datatype.boolean(0.4);
    const { firstNames, lastNames } = ofNewZealand;
    const first = isOfNewZealand ? faker.helpers.arrayElement(firstNames) : faker.person.firstName();
    const surname = () => (isOfNewZealand ? faker.helpers.arrayElement(lastNames) : faker.person.lastName());
    const last = faker.datatype.boolean(0.06) ? `${surname()}-${surname()}` : surname();
    const [firstName, lastName] = [first.replace('Te-', 'Te '), last.replaceAll('Te-', 'Te ')];
    const local = `${plainWords(firstName)}.${plainWords(lastName)}${faker.number.int({ min: 1, max: 999 })}`;
    const domain = faker.helpers.arrayElement(['example.com', 'example.org', 'example.net']);
    return { firstName, lastName, email: `${local}@${domain}` };
  });
}

/** Lower-case letters, digits and hyphens alone: `Hōne O’Neill` gives `hone-oneill`. */
export function plainWords(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[’']/g, '');
  return letters
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
