import { fictionalMobiles } from './fictional-mobiles.ts';

/** Who ever asked the demo business for work, and the first part of their email. A new one comes last: numbers stay. */
const customers = {
  'Aroha Tāwhiri': 'aroha.t',
  'Grace Ong': 'office',
  'Sal Amato': 'sal.amato',
  'Noor Haddad': 'noor.haddad',
  'Kevin Dunn': 'kevin.dunn',
  'Wei Cheng': 'w.cheng',
  'Marco Bellini': 'marco',
  'Helen Papas': 'helen.papas',
  'Tom Reilly': 'tom.reilly',
  'Ian Wallace': 'ian.wallace',
  'Lena Fischer': 'lena.fischer',
  'Bruno Silva': 'bruno.silva',
  'Mia Petrov': 'mia.petrov',
  'Priya Raman': 'priya.raman',
  'Nina Kovac': 'nina.kovac',
  'Peter Lang': 'peter.lang',
  'Rosa Conti': 'rosa.conti',
  'Omar Farah': 'omar.farah',
  'Julie Hart': 'julie.hart',
  'Sam Doyle': 'sam.doyle',
  'Anita Rao': 'anita.rao',
  'Hana Suzuki': 'hana.suzuki',
  'Leo Brandt': 'leo.brandt',
  'Fiona Reid': 'fiona.reid',
  'Tran Le': 'tran.le',
  'Bec Martin': 'bec.martin',
  'Greta Olsen': 'greta.olsen',
  'Moreland Kinder': 'moreland.kinder',
  'Ines Duarte': 'ines.duarte',
} as const;

export type DemoCustomer = keyof typeof customers;

/** The first number is the owner's. */
const [, ...mobiles] = fictionalMobiles;

/** How a customer of the demo is called and reached, in each of their jobs: with an email and a mobile of their own. */
export function demoCustomer(name: DemoCustomer) {
  const phone = mobiles[Object.keys(customers).indexOf(name)];
  if (phone === undefined) throw new RangeError('The numbers for fiction are used up');
  return { name, email: `${customers[name]}@example.com`, phone };
}
