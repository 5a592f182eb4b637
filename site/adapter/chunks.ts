import type { Rolldown } from 'vite';

/** Kinds of pages, by the entries that they start with, those that may load least first. */
const kinds: readonly (readonly [name: string, entries: RegExp])[] = [
  ['plain', /features\/public-form\//],
  ['account', /pages\/(login|logout|forgot-password|reset-password|confirm-email|book-demo|404|500|dev)\b/],
  [
    'app',
    /features\/(dashboard\/(?!FirstSteps)|job-list\/|schedule\/)|layouts\/Shell|ui\/toast\/|pages\/(index|jobs\/(\[view\]|today))/,
  ],
  ['details', /features\/job-details\//],
  ['profile', /features\/profile\/ProfilePage/],
  ['registration', /features\/registration\/wizard|pages\/register/],
  ['jobs', /features\/add-job\//],
];

/** Modules that act once they are loaded, so that only the pages that name them may load them. */
const acting = /\/features\/.*\/(start|follow)-[\w-]+\.ts$/;

/**
 * Modules that several pages share are one file for each kind of page, and not one for each set of pages: that was 45
 * requests for the dashboard. A group takes what its modules import too, unless an earlier one has it.
 */
export const chunks: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
    { name: 'combobox', test: /node_modules[\\/](downshift|compute-scroll-into-view)[\\/]/ },
    { name: 'form', test: /node_modules[\\/]@tanstack[\\/]/ },
    ...kinds.map(([name, pattern]) => ({
      name: (id: string, modules: Rolldown.ChunkingContext) => {
        const entries = acting.test(id) ? [] : entriesOf(id, modules);
        return entries.length > 1 && entries.some((entry) => pattern.test(entry)) ? name : null;
      },
    })),
  ].map((group, at, { length }) => ({ ...group, priority: length - at })),
};

/** The entries, and the modules that are loaded later, which import a module directly or through others. */
function entriesOf(id: string, modules: Rolldown.ChunkingContext): string[] {
  const seen = new Set([id]);
  for (const module of seen)
    for (const importer of modules.getModuleInfo(module)?.importers ?? []) seen.add(importer);
  return [...seen].filter((module) => {
    const info = modules.getModuleInfo(module);
    return info?.isEntry || (info?.dynamicImporters.length ?? 0) > 0;
  });
}
