import type { Json } from './schemas.ts';

const ID = '0198c0de-7b1e-7000-8000-000000000001';
const MOMENT = '2026-03-02T22:00:00.000Z';
const DAY = '2026-03-03';
const HASH = 'pGY2VtcBzpEsYfRT0zVJ2qHJm3rJ0wqVZC3mC5o1q3A=';
const SECRET = 'p4k0dJmYw2Tn5bHc8uXeQzR1sVfL6gAo9iMtNhUyBxE';

/** A value of a field by its name, or by what it lies in and its name. The body of a request is `body`. */
const values: Readonly<Record<string, string | number>> = {
  name: 'Sam Hill',
  firstName: 'Sam',
  lastName: 'Hill',
  initials: 'SH',
  value: 'Sam Hill',
  label: 'Name',
  email: 'sam@example.com',
  phone: '+61412345678',
  'email.to': 'sam@example.com',
  'sms.to': '+61412345678',
  'pendingEmail.value': 'sam@example.com',
  'pendingPhone.value': '+61412345678',
  'contact.value': '+61412345678',
  address: '12 George Street, Sydney NSW 2000',
  formatted_address: '12 George Street, Sydney NSW 2000',
  suburb: 'Sydney',
  postcode: '2000',
  state: 'NSW',
  lat: -33.86,
  lng: 151.21,
  radius: 15_000,
  zoom: 10,
  timeZone: 'Australia/Sydney',
  distance: '4.2 km',
  when: 'Tuesday 3 March, 9:00 am',
  wishedTime: 'In the morning',
  business: 'Pipes and Sons',
  'body.business': 'pipes-and-sons',
  businessName: 'Pipes and Sons',
  bn: '51 824 753 556',
  tradingName: 'Pipes and Sons',
  'bn.name': 'Pipes and Sons',
  'entity.name': 'Pipes and Sons',
  'entities.name': 'Pipes and Sons',
  'form.name': 'Pipes and Sons',
  'bn.status': 'Active',
  'entity.status': 'Active',
  'entities.status': 'Active',
  slug: 'pipes-and-sons',
  form: 'pipes-and-sons',
  tagline: 'Plumbers, Sydney NSW',
  intro: 'Plumbing since 1990',
  trade: 'plumbing',
  trades: 'plumbing',
  'trades.id': 'plumbing',
  'trades.name': 'Plumbing services',
  'trade.id': 'plumbing',
  specialties: 'blocked-drains',
  'specialties.id': 'blocked-drains',
  'specialties.name': 'Blocked drains',
  title: 'Leaking tap',
  description: 'The tap in the kitchen drips',
  notes: 'Bring washers',
  caption: 'The old valve',
  'questions.title': 'How old is the house?',
  'question.title': 'How old is the house?',
  question: 'How old is the house?',
  'questions.description': 'In years',
  'question.description': 'In years',
  answer: 'Ten years',
  options: 'Yes',
  budget: 'Up to $500',
  referral: 'A neighbour',
  serviceFrequency: 'Once',
  allergies: 'None',
  parking: 'On the street',
  pets: 'A dog',
  homeType: 'House',
  storeys: '1',
  bedrooms: '3',
  livingRooms: '1',
  bathrooms: '2',
  message: 'Your password was changed',
  'body.message': 'Which jobs are new?',
  text: 'The street is George Street',
  'history.text': 'Bring washers',
  code: '123456',
  password: 'correct horse battery',
  currentPassword: 'correct horse battery',
  newPassword: 'correct horse battery staple',
  confirmPassword: 'correct horse battery staple',
  reference: 'UTE-4F7K2',
  reason: 'The invoice is disputed',
  reachTime: 'lunch',
  years: 7,
  device: 'Chrome on Android',
  'reasons.name': 'jobs',
  'reasons.reason': 'is behind',
  from: 'Pending',
  to: 'To quote',
  status: 'To quote',
  mime: 'image/jpeg',
  bytes: 240_000,
  'media.name': 'tap.jpg',
  'files.name': 'tap.jpg',
  url: `/api/media/${ID}`,
  thumb: `/api/media/${ID}?size=thumb`,
  logo: `/logos/${ID}`,
  logoUrl: `/logos/${ID}`,
  'body.logo': 'data:image/png;base64,iVBORw0KGgo=',
  jobUrl: `/jobs/details/${ID}`,
  'body.url': '/jobs',
  'tiles.url': 'https://tiles.example.com/{z}/{x}/{y}.png',
  attribution: '© OpenStreetMap',
  until: DAY,
  undoUntil: MOMENT,
  'retention.until': MOMENT,
  'removal.until': MOMENT,
  expiresIn: 600,
  resendAfter: 30,
  codesLeft: 4,
  token: SECRET,
  ticket: SECRET,
  payload: 'eyJhbGdvcml0aG0iOiJTSEEtMjU2In0=',
  sig: SECRET,
  others: ID,
  tradie: ID,
  ref: ID,
  route: '/jobs',
  stackHash: '9f86d081884c7d65',
  key: ID,
  except: ID,
  exp: '1772488800',
  before: '12',
  origin: 'jobs.example.com',
  root: HASH,
  proof: HASH,
  by: 'witness.example.com',
  'timestamps.by': 'timestamp.example.com',
  note: `jobs.example.com\n4400123\n${HASH}\n`,
  handovers: `jobs.example.com/keys\n1\n${HASH}\n`,
  vkey: 'jobs.example.com+f81d4fae+AQIDBAUGBwg=',
  size: 4_400_123,
  fileName: 'job-UTE-4F7K2.ute-record',
  record: 'ute-record/1\n',
  search: 'tap',
  age: 1_500,
  scheduledAt: MOMENT,
  region: 'au',
  asked: 4,
  revision: 4,
  photoId: '0198c0de7b1e70008000000000000001',
};

type Options = Readonly<{
  /** What the references of the schema name. */
  components: Readonly<Record<string, Json>>;
  /** Whether fields that may be left out are in it. An object without required fields has them always. */
  optional: boolean;
}>;

/** A value of a schema, for a reader. `path` is what it lies in and its own name, where it has one. A value of any type is null. */
export function exampleOf(schema: Json, options: Options, path: readonly string[] = []): unknown {
  const { $ref: ref, enum: choices, anyOf, type } = schema as Json & Record<'enum' | 'anyOf', Json[]>;
  if (typeof ref === 'string') {
    const component = options.components[ref.split('/').at(-1) ?? ''];
    if (!component) throw new Error(`${ref} is no component`);
    return exampleOf(component, options, path);
  }
  if ('const' in schema) return schema['const'];
  if (choices) return choices.find((value) => value !== null) ?? null;
  if (anyOf) {
    const some = anyOf.find((each) => each['type'] !== 'null') ?? {};
    return exampleOf(some, options, path);
  }
  const known = values[path.slice(-2).join('.')] ?? values[path.at(-1) ?? ''];
  switch ([type].flat().find((each) => each !== 'null')) {
    case 'object':
      return objectOf(schema, options, path);
    case 'array':
      return [exampleOf((schema['items'] ?? {}) as Json, options, path)];
    case 'string':
      return textOf(schema, path, known);
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return typeof known === 'number' ? known : (schema['minimum'] ?? 1);
    default:
      return null;
  }
}

function objectOf({ properties, required }: Json, options: Options, path: readonly string[]): Json {
  const needed = (required ?? []) as readonly string[];
  const all = Object.entries((properties ?? {}) as Readonly<Record<string, Json>>);
  const shown = all.filter(
    ([key, schema]) =>
      needed.includes(key) || ((options.optional || needed.length === 0) && Object.keys(schema).length > 0),
  );
  return Object.fromEntries(shown.map(([key, schema]) => [key, exampleOf(schema, options, [...path, key])]));
}

function textOf(
  { format, pattern }: Json,
  path: readonly string[],
  known: string | number | undefined,
): string {
  if (format === 'date-time') return MOMENT;
  if (format === 'date') return DAY;
  const name = path.at(-1) ?? '';
  if (known !== undefined) return String(known);
  if (typeof pattern === 'string' && new RegExp(pattern).test(ID)) return ID;
  if (/^(id|rid|.*Id)$/.test(name)) return ID;
  return 'text';
}
