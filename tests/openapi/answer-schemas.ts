import ts from 'typescript';

export type Schema = Readonly<Record<string, unknown>>;

/** What the handlers answer with status 200, by `GET /api/jobs/:id`; null where a handler makes a whole `Response`. */
export type AnswerSchemas = Readonly<{
  components: Readonly<Record<string, Schema>>;
  answers: Readonly<Record<string, Schema | null>>;
}>;

const methods = ['get', 'head', 'post', 'put', 'delete'];
const MOST_DEPTH = 12;
/** Numbers that need not be whole. */
const FRACTIONS = ['lat', 'lng', 'radius', 'zoom'];
/** Characters of a schema that is worth a name of its own. */
const LONG = 200;

/**
 * Reads the types of the handlers from `type App` and writes them as JSON Schema. A named type of an object becomes a component,
 * unless two types of one name differ. Throws for a type that JSON has no word for, such as a date or a function.
 */
export function answerSchemas(root: string): AnswerSchemas {
  const { checker, app } = readApp(root);
  const named = new Map<string, Schema>();
  const answers: Record<string, Schema | null> = {};
  const of = (type: ts.Type, name: string) => checker.getTypeOfSymbol(property(type, name));

  function walk(type: ts.Type, path: string): void {
    for (const { name } of type.getProperties()) {
      const route = of(type, name);
      if (!methods.includes(name) || !route.getProperty('response')) walk(route, `${path}/${name}`);
      else if (path.startsWith('/api/')) {
        const answer = of(of(route, 'response'), '200');
        const isResponse = answer.symbol?.name === 'Response';
        answers[`${name.toUpperCase()} ${path}`] = isResponse ? null : schemaOf(answer, path, 0);
      }
    }
  }

  function schemaOf(type: ts.Type, path: string, depth: number): Schema {
    if (depth > MOST_DEPTH) throw new Error(`the answer of ${path} is nested too deep`);
    const { flags } = type;
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.isStringLiteral() || type.isNumberLiteral()) {
      return { type: typeof type.value, enum: [type.value] };
    }
    if (flags & ts.TypeFlags.BooleanLiteral)
      return { type: 'boolean', enum: [checker.typeToString(type) === 'true'] };
    const name = path.slice(path.lastIndexOf(' ') + 1);
    if (flags & ts.TypeFlags.StringLike) return textNamed(name);
    if (flags & ts.TypeFlags.NumberLike) return { type: FRACTIONS.includes(name) ? 'number' : 'integer' };
    if (flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' };
    if (type.isUnion()) return unionOf(type, path, depth);
    if (flags & ts.TypeFlags.NonPrimitive) return { type: 'object' };
    if (!(flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) {
      throw new Error(`the answer of ${path} has ${checker.typeToString(type)}, which is no JSON`);
    }
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      const items = checker
        .getTypeArguments(type as ts.TypeReference)
        .map((item) => schemaOf(item, path, depth + 1));
      return { type: 'array', items: oneOf(items) };
    }
    return nameOf(type, objectOf(type, path, depth));
  }

  function objectOf(type: ts.Type, path: string, depth: number): Schema {
    if (type.getCallSignatures().length > 0 || ['Date', 'Map', 'Set'].includes(type.symbol?.name ?? '')) {
      throw new Error(`the answer of ${path} has ${checker.typeToString(type)}, which is no JSON`);
    }
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const member of checker.getPropertiesOfType(type)) {
      const isOptional = Boolean(member.flags & ts.SymbolFlags.Optional);
      properties[member.name] = schemaOf(
        checker.getTypeOfSymbol(member),
        `${path} ${member.name}`,
        depth + 1,
      );
      if (!isOptional) required.push(member.name);
    }
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    return {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required: required.sort() } : {}),
      additionalProperties: index ? schemaOf(index.type, path, depth + 1) : false,
    };
  }

  function unionOf(type: ts.UnionType, path: string, depth: number): Schema {
    const some = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    return oneOf(some.map((each) => schemaOf(each, path, depth)));
  }

  function nameOf(type: ts.Type, schema: Schema): Schema {
    const { aliasSymbol: alias, aliasTypeArguments: parts } = type;
    if (!alias || parts?.length || alias.name === 'Ok') return schema;
    const before = named.get(alias.name);
    if (before && JSON.stringify(before) !== JSON.stringify(schema)) return schema;
    named.set(alias.name, schema);
    return { $ref: `#/components/schemas/${alias.name}` };
  }

  walk(of(app, '~Routes'), '');
  nameRepeated(answers, named);
  return {
    components: Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
    answers,
  };
}

/** A text by the name of its field: our types have one word for texts, instants and days. */
function textNamed(name: string): Schema {
  if (/^at$|At$|^undoUntil$/.test(name)) return { type: 'string', format: 'date-time' };
  return ['date', 'today'].includes(name) ? { type: 'string', format: 'date' } : { type: 'string' };
}

/** What several answers have under one name, such as `job`, becomes a component (`Job`) of which they speak. */
function nameRepeated(answers: Record<string, Schema | null>, named: Map<string, Schema>): void {
  const uses = new Map<string, { name: string; in: Record<string, Schema>[] }>();
  for (const answer of Object.values(answers)) {
    const properties = (answer?.['properties'] ?? {}) as Record<string, Schema>;
    for (const [name, schema] of Object.entries(properties)) {
      const text = JSON.stringify(schema);
      if (schema['type'] !== 'object' || text.length < LONG) continue;
      const use = uses.get(text) ?? { name, in: [] };
      use.in.push(properties);
      uses.set(text, use);
    }
  }
  for (const [text, { name, in: places }] of uses) {
    const component = name.charAt(0).toUpperCase() + name.slice(1);
    if (places.length < 2 || named.has(component)) continue;
    named.set(component, JSON.parse(text));
    for (const properties of places) properties[name] = { $ref: `#/components/schemas/${component}` };
  }
}

/** Any of these: values of one type as one `enum`, all else as `anyOf`, in an order that does not depend on the compiler. */
function oneOf(schemas: readonly Schema[]): Schema {
  const others = schemas.filter((schema) => !('enum' in schema));
  const merged = ['string', 'number', 'boolean'].flatMap((type): Schema[] => {
    const values = schemas
      .filter((each) => each['type'] === type)
      .flatMap((each) => (each['enum'] ?? []) as []);
    if (values.length === 0) return [];
    return [
      type === 'boolean' && values.length === 2 ? { type } : { type, enum: [...new Set(values)].sort() },
    ];
  });
  const texts = [...new Set([...merged, ...others].map((schema) => JSON.stringify(schema)))].sort();
  const [first, ...rest] = texts.map((text) => JSON.parse(text) as Schema);
  if (!first) return {};
  return rest.length === 0 ? first : { anyOf: [first, ...rest] };
}

function readApp(root: string) {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile(`${root}/tsconfig.json`, {}, host);
  if (!config) throw new Error('there is no tsconfig.json');
  const file = `${root}/api/app.ts`;
  const program = ts.createProgram([file], { ...config.options, noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  const app = symbol && checker.getExportsOfModule(symbol).find(({ name }) => name === 'App');
  if (!app) throw new Error('api/app.ts has no type App');
  return { checker, app: checker.getDeclaredTypeOfSymbol(app) };
}

function property(type: ts.Type, name: string): ts.Symbol {
  const symbol = type.getProperty(name);
  if (!symbol) throw new Error(`a route has no ${name}`);
  return symbol;
}
