import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { codeFiles } from './source-files.ts';

/**
 * Whether what stands in a fragment, or what a component returns, is a text. A name or a property is what its type says: the types
 * of JSX (`site/src/ui/jsx-runtime.d.ts`) judge it where it comes from, and hold texts out of elements with other children.
 */
function isText(node: ts.Node | undefined): boolean {
  if (!node) return false;
  if (ts.isJsxText(node)) return node.text.trim() !== '';
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return isText(node.expression);
  if (ts.isConditionalExpression(node)) return isText(node.whenTrue) || isText(node.whenFalse);
  if (ts.isBinaryExpression(node)) return isText(node.right);
  if (ts.isCallExpression(node))
    return !(ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'map');
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isPropertyAccessExpression(node);
}

function looseTexts(file: string, source: string): string[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node, component = false): void => {
    const isOne = ts.isFunctionDeclaration(node) ? /^[A-Z]/.test(node.name?.text ?? '') : component;
    const holds = ts.isJsxFragment(node) ? node.children : [];
    const returned = component && ts.isReturnStatement(node) ? [node.expression] : [];
    for (const text of [...holds, ...returned])
      if (text && isText(text) && !(returned.length > 0 && ts.isCallExpression(text)))
        found.push(
          `${file}:${tree.getLineAndCharacterOfPosition(text.getStart()).line + 1}: ${text.getText().trim()}`,
        );
    // What a function in a component returns is its own matter.
    ts.forEachChild(node, (child) => visit(child, isOne && !ts.isArrowFunction(node)));
  };
  visit(tree);
  return found;
}

test('no text stands in a fragment or for a component, where a page that is translated loses it', () => {
  const loose = `
    export function Count({ count }: { count: number }) {
      const words = [1].map((one) => { return 'kept'; });
      if (count === 1) return 'one';
      return <p><>Waiting {words.map((word) => <b>{word}</b>)}{count > 1 && \`\${count} jobs\`}</></p>;
    }`;
  expect(looseTexts('Count.tsx', loose)).toHaveLength(3);
  const components = codeFiles.filter((file) => /^site\/.*\.tsx$/.test(file));
  expect(components.length).toBeGreaterThan(80);
  expect(components.flatMap((file) => looseTexts(file, readFileSync(file, 'utf8')))).toEqual([]);
  expect(components.filter((file) => /\bReactNode\b/.test(readFileSync(file, 'utf8')))).toEqual([]);
});
