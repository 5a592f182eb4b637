import type { Rolldown } from 'vite';

/** A kind of pages with React, by the entries that they start with. */
type Kind = readonly [name: string, entries: RegExp];
/** The kind whose pages may load least, and the others, those that may load less first. */
const app: Kind = ['app', /features\/dashboard\/(?!Found)|pages\/(index|chatbot)\b/];
/** What starts the dashboard, and what it loads later: what no other page needs is a file beside the one that all of them load. */
const dashboard = {
  start: /features\/dashboard\/Dashboard\.tsx|pages\/index\b/,
  all: /features\/dashboard\/|pages\/index\b/,
};
const others: readonly Kind[] = [
  [
    'list',
    /features\/(job-list|schedule)\/(?!MonthRail)|AddJobBeside|jobs\/list\/|pages\/jobs\/(\[view\]|today|new)/,
  ],
  ['month', /features\/schedule\/MonthRail/],
  ['details', /features\/job-details\//],
  ['profile', /features\/profile\/ProfilePage|pages\/profile\/reviews\b/],
  ['jobs', /features\/add-job\//],
  ['registration', /features\/registration\/wizard|pages\/register/],
];

/** What few visits need of what the kinds share: how a business without jobs gets its first ones, what is left to do, and its settings. */
const seldom =
  /site\/src\/(ui\/share-job-form|features\/dashboard\/ToFinish|lib\/(first-steps|profile-settings))\.tsx?|core\/values\/theme-colours\.ts/;
/** What the wizard and the settings need of a business's number. */
const numbers = /core\/values\/(business|plain-signs)\.ts/;
/** What most kinds need at some time: the settings would load the lists for it. */
const common = /site\/src\/ui\/Sheet\.tsx/;

/**
 * Modules that several pages share are one file for each kind of page, and not one for each set of pages: that was 45
 * requests for the dashboard. A group takes what its modules import too, unless an earlier one has it. Pages without React
 * have no part in this: their scripts are built one by one (`page-scripts.ts`).
 */
export const chunks: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|@nanostores|@astrojs)[\\/]/ },
    { name: 'combobox', test: /node_modules[\\/](downshift|compute-scroll-into-view)[\\/]/ },
    { name: 'form', test: /node_modules[\\/]@tanstack[\\/]/ },
    kindOf(app),
    {
      name: (id: string, modules: Rolldown.ChunkingContext) =>
        isOfDashboard(entriesOf(id, modules)) ? 'dashboard' : null,
    },
    // Before the other kinds: each of them would take what it imports of this.
    { name: 'first-jobs', test: seldom },
    { name: 'business-numbers', test: numbers },
    ...others.map(kindOf),
  ].map((group, at, { length }) => ({ ...group, priority: length - at })),
};

function kindOf([name, pattern]: Kind) {
  return {
    name: (id: string, modules: Rolldown.ChunkingContext) => {
      if (seldom.test(id) || numbers.test(id)) return null;
      const entries = entriesOf(id, modules);
      if (isOfDashboard(entries)) return null;
      const isOfKind =
        name === 'app' && common.test(id) ? () => true : (entry: string) => pattern.test(entry);
      return entries.length > 1 && entries.some(isOfKind) ? name : null;
    },
  };
}

function isOfDashboard(entries: readonly string[]): boolean {
  return (
    entries.every((entry) => dashboard.all.test(entry)) &&
    entries.some((entry) => dashboard.start.test(entry))
  );
}

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
