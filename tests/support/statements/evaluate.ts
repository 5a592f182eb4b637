import { join } from 'node:path';
import ts from 'typescript';

/** An expression whose value does not follow from the sources. */
export class UnresolvedError extends Error {}

const MARK = '\u0001';

/** Stands for what the sources do not say. Most of it are values, which are not in the text; in a text it is seen. */
function unknown(name: string): unknown {
  const asText = () => `${MARK}${name}${MARK}`;
  return new Proxy(asText, {
    // Not to be taken for a promise.
    get: (_, key) =>
      key === 'then'
        ? undefined
        : key === Symbol.toPrimitive || key === 'toString'
          ? asText
          : unknown(`${name}.${String(key)}`),
    apply: () => unknown(`${name}()`),
  });
}

/** Takes one of so many ways at a fork of the sources: a literal of a union, a call of a function. */
type Choose = (fork: ts.Node, ways: number) => number;
type Values = ReadonlyMap<string, unknown>;

/** By the type of a parameter, as it is written there: values of it. */
export type Samples = Readonly<Record<string, readonly unknown[]>>;

/** More texts than one statement has. */
const MOST_WAYS = 200;
const DEEPEST = 40;

export type Evaluator = Readonly<{
  /** Every value that an expression can have, as far as the sources say. Throws UnresolvedError where they do not. */
  valuesOf(expression: ts.Expression): Promise<unknown[]>;
}>;

/**
 * Evaluates expressions of the sources without running what they stand in: constants by their modules, parameters by the literals
 * of their types, by `samples`, and those that are texts by what the calls of their functions give.
 */
export function createEvaluator(
  program: ts.Program,
  sources: readonly ts.SourceFile[],
  samples: Samples,
): Evaluator {
  const checker = program.getTypeChecker();
  const calls = callsIn(checker, sources);

  /** Runs `work` once for each way through its forks. */
  async function everyWay<T>(work: (choose: Choose) => Promise<T>): Promise<T[]> {
    const results: T[] = [];
    for (let script: number[] | undefined = []; script !== undefined; ) {
      const taken: { way: number; of: number }[] = [];
      const known = new Map<ts.Node, number>();
      const planned: readonly number[] = script;
      results.push(
        await work((fork, of) => {
          const before = known.get(fork);
          if (before !== undefined) return before;
          const way = planned[taken.length] ?? 0;
          taken.push({ way, of });
          known.set(fork, way);
          return way;
        }),
      );
      if (results.length > MOST_WAYS) throw new UnresolvedError('too many ways');
      const last = taken.findLastIndex(({ way, of }) => way + 1 < of);
      script =
        last < 0 ? undefined : taken.slice(0, last + 1).map(({ way }, n) => (n === last ? way + 1 : way));
    }
    return results;
  }

  async function evaluate(node: ts.Node, choose: Choose, depth: number): Promise<unknown> {
    if (depth > DEEPEST) throw new UnresolvedError('goes round in a circle');
    if (ts.isStringLiteralLike(node)) return node.text;
    const values = new Map<string, unknown>();
    for (const name of freeNames(checker, node)) {
      if (values.has(name.text)) continue;
      const found = await lookUp(name, choose, depth + 1);
      if (found !== undefined) values.set(name.text, found.value);
    }
    return run(node, values);
  }

  /** Undefined for what is everywhere, such as `Object`. */
  async function lookUp(
    name: ts.Identifier,
    choose: Choose,
    depth: number,
  ): Promise<{ value: unknown } | undefined> {
    const declaration = declarationOf(checker, name);
    if (!declaration) return undefined;
    const file = declaration.getSourceFile();
    if (file.isDeclarationFile) return undefined;
    const exported = exportedName(declaration);
    if (exported) {
      const module = await import(join(program.getCurrentDirectory(), relativeOf(program, file)));
      return { value: module[exported] };
    }
    return { value: await declared(declaration, choose, depth) };
  }

  async function declared(declaration: ts.Declaration, choose: Choose, depth: number): Promise<unknown> {
    if (ts.isFunctionDeclaration(declaration)) return evaluate(declaration, choose, depth);
    if (ts.isVariableDeclaration(declaration)) {
      if (declaration.initializer) return evaluate(declaration.initializer, choose, depth);
      const loop = declaration.parent.parent;
      if (ts.isForOfStatement(loop)) {
        const all = [...((await evaluate(loop.expression, choose, depth + 1)) as Iterable<unknown>)];
        return all[choose(loop, all.length)];
      }
    }
    if (ts.isParameter(declaration)) return parameter(declaration, choose, depth);
    if (ts.isBindingElement(declaration)) return element(declaration, choose, depth);
    return unknown(declaration.getText().slice(0, 60));
  }

  /** Of `{ a }` or `[a]` that takes a value apart. */
  async function element(declaration: ts.BindingElement, choose: Choose, depth: number): Promise<unknown> {
    const sample = sampleOf(declaration, choose);
    if (sample) return sample.value;
    const pattern = declaration.parent;
    const whole = (await declared(pattern.parent, choose, depth + 1)) as Record<string, unknown> | undefined;
    const key = ts.isArrayBindingPattern(pattern)
      ? String(pattern.elements.indexOf(declaration))
      : (declaration.propertyName ?? declaration.name).getText();
    const value = whole?.[key];
    return value === undefined && declaration.initializer
      ? evaluate(declaration.initializer, choose, depth + 1)
      : value;
  }

  async function parameter(
    declaration: ts.ParameterDeclaration,
    choose: Choose,
    depth: number,
  ): Promise<unknown> {
    const sample = sampleOf(declaration, choose);
    if (sample) return sample.value;
    const made = declaration.parent;
    const position = made.parameters.indexOf(declaration);
    const named = ts.isFunctionDeclaration(made) ? made : made.parent;
    const callers = calls.get(named) ?? [];
    // A text may be part of a statement; what else a caller has is of its own run.
    if (callers.length > 0 && isText(checker.getTypeAtLocation(declaration))) {
      const argument = callers[choose(named, callers.length)]?.arguments[position];
      if (argument) return evaluate(argument, choose, depth + 1);
    }
    if (declaration.initializer) return evaluate(declaration.initializer, choose, depth + 1);
    return unknown(declaration.name.getText());
  }

  function sampleOf(
    declaration: ts.ParameterDeclaration | ts.BindingElement,
    choose: Choose,
  ): { value: unknown } | undefined {
    const name = ts.isParameter(declaration) ? (declaration.type?.getText() ?? '') : '';
    const given = Object.hasOwn(samples, name) ? samples[name] : undefined;
    if (given) return { value: given[choose(declaration, given.length)] };
    const literals = literalsOf(checker, checker.getTypeAtLocation(declaration));
    return literals && { value: literals[choose(declaration, literals.length)] };
  }

  return { valuesOf: (expression) => everyWay((choose) => evaluate(expression, choose, 0)) };
}

function callsIn(
  checker: ts.TypeChecker,
  sources: readonly ts.SourceFile[],
): ReadonlyMap<ts.Node, ts.CallExpression[]> {
  const calls = new Map<ts.Node, ts.CallExpression[]>();
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const called = declarationOf(checker, node.expression);
      if (called) calls.set(called, [...(calls.get(called) ?? []), node]);
    }
    node.forEachChild(visit);
  };
  for (const source of sources) visit(source);
  return calls;
}

function declarationOf(checker: ts.TypeChecker, name: ts.Identifier): ts.Declaration | undefined {
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  const own = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return own?.declarations?.[0];
}

/** The names in an expression that are declared outside of it. */
function freeNames(checker: ts.TypeChecker, expression: ts.Node): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node) && isReference(node)) {
      const declaration = declarationOf(checker, node);
      const isInside =
        declaration?.getSourceFile() === expression.getSourceFile() &&
        declaration.pos >= expression.pos &&
        declaration.end <= expression.end;
      if (!isInside) found.push(node);
    }
    node.forEachChild(visit);
  };
  visit(expression);
  return found;
}

function isReference(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === name;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === name;
  if (ts.isBindingElement(parent)) return parent.initializer === name;
  if (ts.isMethodDeclaration(parent)) return false;
  return (
    !(ts.isFunctionDeclaration(parent) || ts.isParameter(parent) || ts.isVariableDeclaration(parent)) ||
    parent.name !== name
  );
}

function exportedName(declaration: ts.Declaration): string | undefined {
  if (ts.isFunctionDeclaration(declaration)) {
    const isExported = declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isExported ? declaration.name?.text : undefined;
  }
  if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) return undefined;
  const statement = declaration.parent.parent;
  const isExported =
    ts.isVariableStatement(statement) &&
    statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  return isExported ? declaration.name.text : undefined;
}

const isText = (type: ts.Type) => (type.flags & ts.TypeFlags.StringLike) !== 0;

/** What a type of few values has: `'a' | 'b' | null`. */
function literalsOf(checker: ts.TypeChecker, type: ts.Type): unknown[] | undefined {
  const members = type.isUnion() ? type.types : [type];
  const values = members.map((member): { value: unknown } | undefined => {
    if (member.isStringLiteral() || member.isNumberLiteral()) return { value: member.value };
    if (member.flags & ts.TypeFlags.Number) return { value: 1 };
    if (member.flags & ts.TypeFlags.Null) return { value: null };
    if (member.flags & ts.TypeFlags.Undefined) return { value: undefined };
    if (member.flags & ts.TypeFlags.BooleanLiteral) return { value: checker.typeToString(member) === 'true' };
    return undefined;
  });
  return values.every((one) => one !== undefined) ? values.map(({ value }) => value) : undefined;
}

/** The value of an expression whose free names have these values. */
function run(node: ts.Node, values: Values): unknown {
  const source = ts.isFunctionDeclaration(node) ? node.getText().replace(/^export\s+/, '') : node.getText();
  const { outputText } = ts.transpileModule(`const it = (${source})`, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  try {
    return new Function(...values.keys(), `${outputText}\nreturn it;`)(...values.values());
  } catch (error) {
    throw new UnresolvedError(`${node.getText().slice(0, 60)}: ${error}`);
  }
}

function relativeOf(program: ts.Program, file: ts.SourceFile): string {
  return file.fileName.slice(program.getCurrentDirectory().length + 1);
}

/** The texts that a statement can have; null where the sources do not say them. */
export async function textsOf(evaluator: Evaluator, statement: ts.Expression): Promise<string[] | null> {
  try {
    const values = await evaluator.valuesOf(statement);
    const texts = values.map((value) => (value instanceof Object && 'text' in value ? value.text : value));
    return texts.every((text) => typeof text === 'string' && !text.includes(MARK))
      ? [...new Set(texts as string[])]
      : null;
  } catch (error) {
    if (error instanceof UnresolvedError) return null;
    throw error;
  }
}
