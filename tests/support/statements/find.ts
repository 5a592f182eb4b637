import { join } from 'node:path';
import ts from 'typescript';
import { root } from '#tests/support/run/stages.ts';

/** A statement of the sources: where it is sent, its text, whether its rows are read, and what they are taken for; null where nothing is said. */
export type SentStatement = Readonly<{
  place: string;
  text: ts.Expression;
  row: ts.TypeNode | null;
  isRead: boolean;
}>;

/** The program of all that sends statements, tests apart. */
export function readSources(): Readonly<{ program: ts.Program; sources: ts.SourceFile[] }> {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const settings = { ...config.config, include: ['core', 'api', 'projections', 'migrations'] };
  const { fileNames, options } = ts.parseJsonConfigFileContent(settings, ts.sys, root);
  const rootNames = fileNames.filter((name) => !/\.(test|fixture|d)\.tsx?$/.test(name));
  const program = ts.createProgram({ rootNames, options });
  const own = new Set(rootNames);
  return { program, sources: program.getSourceFiles().filter(({ fileName }) => own.has(fileName)) };
}

/** Every statement. What only passes one on, with a row type of its caller's, is none. */
export function findStatements(program: ts.Program, sources: readonly ts.SourceFile[]): SentStatement[] {
  const checker = program.getTypeChecker();
  const found: SentStatement[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && isQuery(node.expression)) {
      const [row = null] = node.typeArguments ?? [];
      const [sent] = node.arguments;
      const isPassedOn =
        row !== null && (checker.getTypeFromTypeNode(row).flags & ts.TypeFlags.TypeParameter) !== 0;
      if (sent && !isPassedOn)
        found.push({
          place: placeOf(node),
          text: textOf(sent),
          row,
          isRead: row !== null || readsRows(node),
        });
    }
    node.forEachChild(visit);
  };
  for (const source of sources) visit(source);
  return found;
}

function isQuery(called: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(called)
    ? called.name.text === 'query'
    : ts.isIdentifier(called) && called.text === 'query';
}

/** Whether what a call answers is asked for its rows. */
function readsRows(call: ts.CallExpression): boolean {
  let node: ts.Node = call.parent;
  while (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) node = node.parent;
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'rows';
  return (
    ts.isVariableDeclaration(node) &&
    ts.isObjectBindingPattern(node.name) &&
    node.name.elements.some((element) => (element.propertyName ?? element.name).getText() === 'rows')
  );
}

/** Of what is sent, what says the text: the values are of the call alone. */
function textOf(sent: ts.Expression): ts.Expression {
  if (ts.isCallExpression(sent) && /^planned(Once|EachTime)$/.test(sent.expression.getText()))
    return sent.arguments[0] ?? sent;
  if (ts.isObjectLiteralExpression(sent)) {
    for (const property of sent.properties) {
      if (property.name?.getText() !== 'text') continue;
      if (ts.isPropertyAssignment(property)) return property.initializer;
      if (ts.isShorthandPropertyAssignment(property)) return property.name;
    }
  }
  return sent;
}

/** File and function: the number of a line changes with every edit. */
function placeOf(node: ts.Node): string {
  const file = node.getSourceFile().fileName.slice(join(root, '/').length);
  for (let at: ts.Node = node; at.parent; at = at.parent) {
    if ((ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) && at.name)
      return `${file} ${at.name.getText()}`;
  }
  return file;
}
