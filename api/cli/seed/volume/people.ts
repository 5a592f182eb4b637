import type { Region } from '#core/values/region.ts';
import type { Random } from './random.ts';

/** A person who does not exist. `phone` in E.164; `email` at a domain that is reserved for examples. */
export type Person = Readonly<{ firstName: string; lastName: string; email: string; phone: string }>;

const words = (text: string) => text.trim().split(/\s+/);

const firstNames: Record<Region, readonly string[]> = {
  au: words(`Jack Olivia Noah Charlotte Liam Amelia Ava Mia Isla Grace Lucas Chloe Ethan Zoe Priya Wei Mei Minh Linh
    Sal Maria Giulia Marco Yusuf Noor Ahmed Fatima Siobhán Declan Zoë Renée Nguyen Arjun Ananya Hannah Tom Kevin
    Helen Ian Sue Trevor Bronwyn Darren Kylie Lachlan Callum Tahlia Jarrah Kirra Banjo Dimitri Eleni Goran Mirjana`),
  nz: words(`Aroha Mere Hēmi Rāwiri Wiremu Tāne Māia Kahurangi Ngaio Tūī Marama Hōne Anahera Pānia Rangi Kōwhai Matiu
    Hinemoa Tamati Ana Oliver Isla Jack Charlotte Leo Ruby George Lucy Sione Mele Tevita Sina Ioane Lupe Aditya Kavya
    Jin Soo-ah Emma Liam Sophie Angus Fiona Hamish Stewart Raewyn Murray Shona Manaia Te-Ariki`),
};

const lastNames: Record<Region, readonly string[]> = {
  au: words(`Smith Nguyen Jones Williams Brown Taylor Singh Wilson Patel Johnson Martin White Anderson Thompson Ryan
    Walker Kelly Lee Harris King Chen Wang Li Zhang O’Brien O’Neill Murphy Campbell Robinson Wright Young Papas Rossi
    Bellini Amato Russo Nikolaidis Papadopoulos Haddad Khoury Ibrahim Hassan Kaur Sharma Tran Pham Le Kim Park Fischer
    Wagner Novak Kowalski Petrović Horvat da-Silva Fernandes García Gallagher Fitzgerald Dunn Reilly Wallace Cheng Ong
    Raman Iyer Perera Fernando Silva Mbeki Okafor Abdi Yilmaz Demir van-Dijk Jansen Larsen Nilsson Köhler Müller`),
  nz: words(`Smith Wilson Williams Brown Singh Taylor Jones Patel Walker Thompson Ngata Parata Tāwhiri Pōtae Wīhongi
    Māhuta Rāpana Hōhepa Tamihana Te-Rangi Ruatapu Kereama Paewai Tīpene Hēnare Rēweti Waititi Tupou Faleolo Leavasa
    Tuilagi Fonoti Kaufusi Lee Chen Wang Li Kumar Sharma Kim McDonald Campbell Stewart Robertson MacKenzie Fraser
    Sutherland Scott Mitchell Clarke King Harris Moore White Martin Young Edwards Hughes Roberts Turner Collins Baker
    van-der-Berg de-Vries Vella Petrović Jurić O’Connor Sullivan Doyle`),
};

/** The mobile numbers that Australia keeps free for fiction, behind the country's code. */
const fictionalMobiles =
  words(`491570006 491570156 491570157 491570158 491570159 491570110 491570313 491570737
  491571266 491571491 491571804 491572549 491572665 491572983 491573770 491573087 491574118 491574632 491575254
  491575789 491576398 491576801 491577426 491577644 491578957 491578148 491578888 491579212 491579760 491579455`);

/** An invented customer. New Zealand keeps no numbers for fiction: 025 is the prefix of a network that was closed. */
export function inventPerson(random: Random, region: Region): Person {
  const name = inventName(random, region);
  const domain = random.pick(['example.com', 'example.org', 'example.net']);
  const local = `${plainWords(name.firstName)}.${plainWords(name.lastName)}`;
  const email = `${local}${random.between(1, 999)}@${domain}`;
  return { ...name, email, phone: inventPhone(random, region) };
}

function inventPhone(random: Random, region: Region): string {
  if (region === 'au') return `+61${random.pick(fictionalMobiles)}`;
  return `+6425${random.between(2_000_000, 9_999_999)}`;
}

/** A full name, of two surnames now and then. Māori names have their macrons. */
export function inventName(random: Random, region: Region): Pick<Person, 'firstName' | 'lastName'> {
  const surname = () => random.pickSkewed(lastNames[region]).replaceAll('-', ' ');
  const firstName = random.pick(firstNames[region]).replace('Te-', 'Te ');
  const lastName = random.chance(0.06) ? `${surname()}-${surname()}` : surname();
  return { firstName, lastName };
}

/** Lower-case letters, digits and hyphens alone: `Hōne O’Neill` gives `hone-oneill`. */
export function plainWords(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[’']/g, '');
  return letters
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
