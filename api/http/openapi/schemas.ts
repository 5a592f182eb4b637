export type Json = Readonly<Record<string, unknown>>;
/** The part of an operation that follows from the schemas of its route. */
export type Operation = Readonly<{ parameters?: readonly Json[]; requestBody?: Json }>;

/**
 * A schema as arktype writes it, without what only arktype reads: its messages and `$schema`. Constants to choose
 * from become one `enum`.
 */
export function plainSchema(schema: Json): Json {
  const {
    $schema: _schema,
    message: _message,
    refusal: _refusal,
    properties,
    items,
    anyOf,
    ...others
  } = schema;
  const each = (schemas: unknown) => (schemas as readonly Json[]).map(plainSchema);
  const fields = Object.entries((properties ?? {}) as Readonly<Record<string, Json>>);
  return {
    ...others,
    ...(properties
      ? { properties: Object.fromEntries(fields.map(([key, one]) => [key, plainSchema(one)])) }
      : {}),
    ...(items ? { items: plainSchema(items as Json) } : {}),
    ...(anyOf ? choice(each(anyOf)) : {}),
  };
}

function choice(schemas: readonly Json[]): Json {
  const values = schemas.map((one) => (one['type'] === 'null' ? null : one['const']));
  return values.includes(undefined) ? { anyOf: schemas } : { enum: values };
}

/** The schema of a JSON body, and whether the body must be there: one that may be null may be left out. */
export function plainBody({ content }: Json): Readonly<{ schema: Json; required: boolean }> {
  const json = (content as Readonly<Record<string, { schema: Json }>>)['application/json'];
  const schema = plainSchema(json?.schema ?? {});
  return { schema, required: ![schema['type']].flat().includes('null') };
}

const texts: Readonly<Record<string, string>> = {
  address: '12 George Street, Sydney NSW 2000',
  formatted_address: '12 George Street, Sydney NSW 2000',
  suburb: 'Sydney',
  postcode: '2000',
  state: 'NSW',
  timeZone: 'Australia/Sydney',
  email: 'sam@example.com',
  phone: '0412 345 678',
  name: 'Sam Hill',
  firstName: 'Sam',
  lastName: 'Hill',
  initials: 'SH',
  tradingName: 'Pipes and Sons',
  business: 'pipes-and-sons',
  businessName: 'Pipes and Sons',
  slug: 'pipes-and-sons',
  bn: '51 824 753 556',
  title: 'Leaking tap',
  description: 'The tap in the kitchen drips',
  notes: 'Bring washers',
  intro: 'Plumbing since 1990',
  message: 'Which jobs are new?',
  question: 'How old is the house?',
  answer: 'Ten years',
  code: '123456',
  password: 'correct horse battery',
  currentPassword: 'correct horse battery',
  newPassword: 'correct horse battery staple',
  confirmPassword: 'correct horse battery staple',
  reference: 'UTE-4F7K2',
  mime: 'image/jpeg',
  url: '/api/media/0198c0de-7b1e-7000-8000-000000000001',
  logo: '/logos/0198c0de-7b1e-7000-8000-000000000001',
  logoUrl: '/logos/0198c0de-7b1e-7000-8000-000000000001',
  ref: '0198c0de-7b1e-7000-8000-000000000001',
  route: '/jobs',
  stackHash: '9f86d081884c7d65',
};
const ID = '0198c0de-7b1e-7000-8000-000000000001';
const TEXT = 'text';
const numbers: Readonly<Record<string, number>> = { lat: -33.86, lng: 151.21, radius: 15_000, zoom: 10 };

type Options = Readonly<{ components: Readonly<Record<string, Json>>; optional: boolean }>;

/**
 * A value of a schema. `components` are what its references name; `optional` says whether fields that may be left out are in it.
 * An object without required fields has them always. A value of any type is null.
 */
export function exampleOf(schema: Json, options: Options, name = ''): unknown {
  const { $ref: ref, enum: values, anyOf, type } = schema as Json & Record<'enum' | 'anyOf', Json[]>;
  if (typeof ref === 'string') {
    const component = options.components[ref.split('/').at(-1) ?? ''];
    if (!component) throw new Error(`${ref} is no component`);
    return exampleOf(component, options, name);
  }
  if ('const' in schema) return schema['const'];
  if (values) return values.find((value) => value !== null) ?? null;
  if (anyOf) {
    const some = anyOf.find((each) => each['type'] !== 'null') ?? {};
    return exampleOf(some, options, name);
  }
  switch ([type].flat().find((each) => each !== 'null')) {
    case 'object':
      return objectOf(schema, options);
    case 'array':
      return [exampleOf((schema['items'] ?? {}) as Json, options, name)];
    case 'string':
      return textOf(schema, name);
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return numbers[name] ?? schema['minimum'] ?? 1;
    default:
      return null;
  }
}

function objectOf({ properties, required }: Json, options: Options): Json {
  const needed = (required ?? []) as readonly string[];
  const all = Object.entries((properties ?? {}) as Readonly<Record<string, Json>>);
  const shown = all.filter(
    ([key, schema]) =>
      needed.includes(key) || ((options.optional || needed.length === 0) && Object.keys(schema).length > 0),
  );
  return Object.fromEntries(shown.map(([key, schema]) => [key, exampleOf(schema, options, key)]));
}

function textOf({ format, pattern }: Json, name: string): string {
  if (format === 'date-time' || name === 'scheduledAt') return '2026-03-02T22:00:00.000Z';
  if (format === 'date') return '2026-03-03';
  if (typeof pattern === 'string' && new RegExp(pattern).test(ID)) return ID;
  return texts[name] ?? (/^(id|rid|.*Id)$/.test(name) ? ID : TEXT);
}
