import postcss, { type Declaration, type Root } from 'postcss';

/**
 * What a page uses of its styles, for one that no script gives other classes: rules of its elements and classes, and custom properties that
 * have a use. A property of the root that has one value, and is not longer where it is used than its name, stands there by that value.
 * `html`: the page as it is written; the elements that a script makes are named by `made`.
 */
export function usedStyles(css: string, html: string, made: readonly string[] = []): string {
  const root = postcss.parse(css);
  const markup = html.replace(/<script\b[\s\S]*?<\/script>/g, '');
  const classes = new Set(
    Array.from(markup.matchAll(/ class="([^"]*)"/g), ([, names = '']) => names.split(/\s+/)).flat(),
  );
  const elements = new Set([
    ...Array.from(markup.matchAll(/<([a-z][a-z\d]*)/g), ([, name = '']) => name),
    ...made,
  ]);
  const isUsed = (selector: string): boolean => {
    const needed = Array.from(selector.matchAll(/:has\(([^()]*)\)/g), ([, inner = '']) => inner);
    // What a state or an attribute asks for can come true later.
    const bare = selector.replace(/::?[\w-]+(\((?:[^()]|\([^()]*\))*\))?|\[[^\]]*\]|#[\w-]+/g, '');
    const names = Array.from(bare.matchAll(/(\.?)([a-z_][\w-]*)/gi), ([, dot, name = '']) => ({ dot, name }));
    return needed.every(isUsed) && names.every(({ dot, name }) => (dot ? classes : elements).has(name));
  };
  root.walkRules((rule) => {
    const parent = rule.parent;
    if (parent?.type === 'atrule' && 'name' in parent && parent.name === 'keyframes') return;
    if (rule.selector.startsWith('&')) return;
    const selectors = rule.selectors.filter(isUsed);
    if (selectors.length === 0) rule.remove();
    else rule.selectors = selectors;
  });
  let before = '';
  for (let text = root.toString(); text !== before; text = root.toString()) {
    before = text;
    root.walkDecls(/^--/, (one) => {
      if (usesOf(text, one.prop) === 0) one.remove();
    });
    root.walkAtRules('keyframes', (one) => {
      if (!new RegExp(`\\banimation(-name)?:[^;}]*\\b${one.params}\\b`).test(text)) one.remove();
    });
    root.walk((node) => {
      if ((node.type === 'rule' || node.type === 'atrule') && node.nodes?.length === 0) node.remove();
    });
    writeOut(root);
  }
  return before;
}

const usesOf = (text: string, name: string) =>
  text.split(`var(${name})`).length + text.split(`var(${name},`).length - 2;

/** Puts values in the place of their names where that is shorter. */
function writeOut(root: Root): void {
  const declared = new Map<string, Declaration[]>();
  root.walkDecls(/^--/, (one) => {
    declared.set(one.prop, [...(declared.get(one.prop) ?? []), one]);
  });
  for (const [name, [one, ...others]] of declared) {
    const parent = one?.parent;
    if (!one || others.length > 0 || parent?.type !== 'rule' || !('selector' in parent)) continue;
    const isOfRoot =
      parent.selector === ':root' &&
      parent.parent?.type === 'atrule' &&
      (parent.parent as { name?: string }).name === 'layer';
    const named = `var(${name})`;
    const uses = usesOf(root.toString(), name);
    if (!isOfRoot || uses * one.value.length > uses * named.length + name.length + one.value.length + 2)
      continue;
    root.walkDecls((each) => {
      each.value = each.value.replaceAll(named, one.value);
    });
    if (usesOf(root.toString(), name) === 0) one.remove();
  }
}
