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
