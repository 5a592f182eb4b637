import { entriesOf } from './source-files.ts';

/** Who may import whom. The first room that a file belongs to decides. */
export type Room = Readonly<{ name: string; files: RegExp; may: readonly RegExp[] }>;

const core = /^core\//;
const node = /^node:/;
/** A package's name, which no path of ours and no built-in module looks like. */
const packages = /^(?!node:|bun(:|$)|(core|api|projections|migrations|site|tests)\/)/;
const aggregates = ['job', 'registration', 'business', 'enquiry-form', 'account', 'demo'];

/** The screens of the site. None imports another: what two of them show is in `jobs` or `ui`. */
const screens = entriesOf('site/src/features').map(({ name }) => name);

/** What the site takes of the core: values, and the words and rules of statuses. */
const coreOfSite = [
  /^core\/values\/[^/]+(?<!\.type)\.ts$/,
  /^core\/job\/(statuses|lists|customer-messages)\.ts$/,
];

const siteMay = (...folders: string[]) => [
  ...folders.map((folder) => new RegExp(`^site/src/${folder}/`)),
  ...coreOfSite,
  packages,
];

export const rooms: readonly Room[] = [
  {
    name: 'a composition root',
    files: /^api\/(main\.ts|cli\.ts|cli\/)/,
    may: [/^(core|api|projections|migrations)\//, packages, node],
  },
  {
    name: 'the event store',
    files: /^core\/event-store\//,
    may: [
      core,
      /^(arktype|pg|@eventstore\/db-client(\/generated\/\w+\.js)?|@grpc\/grpc-js|node:(crypto|fs|path))$/,
    ],
  },
  ...aggregates.map((aggregate) => ({
    name: `the aggregate ${aggregate}`,
    files: new RegExp(`^core/${aggregate}/`),
    may: [new RegExp(`^core/(kernel|values|${aggregate})/`), /^arktype$/],
  })),
  {
    name: 'what all share that talk to Postgres',
    files: /^core\/postgres\//,
    may: [/^core\/postgres\//, /^(pg|pg-copy-streams|node:stream(\/promises)?)$/],
  },
  { name: 'the pure core', files: core, may: [/^core\/(?!(event-store|postgres)\/)/, /^arktype$/] },
  { name: 'projections', files: /^projections\//, may: [core, /^projections\//, /^pg$/, node] },
  {
    name: 'the api',
    files: /^api\//,
    may: [
      core,
      /^api\//,
      /^projections\/([^/]+\/read|jobs\/(list|schedule|details|hints))\.ts$/,
      packages,
      node,
    ],
  },
  { name: 'migrations', files: /^migrations\//, may: [/^migrations\//, /^pg$/, node] },
  {
    name: 'the build of the site',
    files: /^site\/(adapter\/|astro\.config)/,
    may: [/^site\//, packages, node],
  },
  { name: 'what the pages are made with', files: /^site\/src\/lib\//, may: siteMay('lib') },
  { name: 'domain-free parts', files: /^site\/src\/ui\//, may: siteMay('lib', 'ui') },
  {
    name: 'what several screens show of a job',
    files: /^site\/src\/jobs\//,
    may: siteMay('lib', 'ui', 'jobs'),
  },
  ...screens.map((screen) => ({
    name: `the screen ${screen}`,
    files: new RegExp(`^site/src/features/${screen}/`),
    may: [
      ...siteMay('lib', 'ui', 'jobs', 'layouts', 'styles', `features/${screen}`),
      /^site\/notices\.json$/,
    ],
  })),
  {
    name: 'the site',
    files: /^site\//,
    may: [/^site\//, ...coreOfSite, packages],
  },
];
