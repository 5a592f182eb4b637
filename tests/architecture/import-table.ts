import { entriesOf } from './source-files.ts';

/** Who may import whom. The first room that a file belongs to decides. */
export type Room = Readonly<{ name: string; files: RegExp; may: readonly RegExp[] }>;

const core = /^core\//;
const node = /^node:/;
/** What `Bun` has no member for: a collection of what is new in the heap alone. */
const collector = /^bun:jsc$/;
/** A package's name, which no path of ours and no built-in module looks like. Spans are made in one room. */
const packages = /^(?!@opentelemetry\/|node:|bun(:|$)|(core|api|projections|migrations|site|tests)\/)/;
const aggregates = ['job', 'registration', 'business', 'enquiry-form', 'account', 'demo', 'erasure'];

/** The screens of the site. None imports another: what two of them show is in `jobs` or `ui`. */
const screens = entriesOf('site/src/features').map(({ name }) => name);

/** What the site takes of the core: values, the words and rules of statuses, and the check of a record. */
const coreOfSite = [
  /^core\/values\/[^/]+(?<!\.type)\.ts$/,
  /^core\/job\/(history-words|[a-z]+\/(words|statuses|held-words|customer-messages|photo-stages|rejection-reasons))\.ts$/,
  /^core\/proof\/(check|check-log|finding|record|verdict-words)\.ts$/,
];

const siteMay = (...folders: string[]) => [
  ...folders.map((folder) => new RegExp(`^site/src/${folder}/`)),
  ...coreOfSite,
  packages,
];

/** What puts rooms together may name any file of theirs: main, app, the list of rooms, and the commands of `ute`. */
export const composition = /^api\/(?:[a-z-]+\.ts$(?<!\/deps\.ts)|cli\/|(?:[\w-]+\/)+commands(?:\.ts$|\/))/;

export const rooms: readonly Room[] = [
  {
    name: 'a composition root',
    files: composition,
    may: [/^(core|api|projections|migrations)\//, packages, node],
  },
  {
    name: 'the event store',
    files: /^core\/event-store\//,
    may: [
      core,
      /^(arktype|lru-cache|pg|@eventstore\/db-client(\/generated\/\w+\.js)?|@grpc\/grpc-js|node:(crypto|fs|net|path|tls))$/,
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
    may: [/^core\/(postgres|kernel)\//, /^(pg|pg-copy-streams|node:stream(\/promises)?)$/],
  },
  {
    name: 'hashes, trees over them, and signed notes, in servers and browsers alike',
    files: /^core\/crypto\//,
    may: [/^core\/crypto\//, /^@noble\/(ed25519|hashes\/sha2\.js)$/],
  },
  {
    name: 'the proof of the log',
    files: /^core\/proof\//,
    may: [
      /^core\/(proof|crypto|kernel)\//,
      /^core\/job\/record-words\.ts$/,
      /^core\/values\/stored-details\.ts$/,
    ],
  },
  {
    name: 'the pure core',
    files: core,
    may: [/^core\/(?!(event-store|postgres)\/)/, /^arktype(\/config)?$/],
  },
  { name: 'projections', files: /^projections\//, may: [core, /^projections\//, /^pg$/, node] },
  {
    name: 'what of the api follows the log',
    files: /^api\/(background|proof|outbox)\//,
    may: [
      core,
      /^api\//,
      /^projections\/([^/]+\/read|jobs\/(list|board)|runtime\/([\w-]+|follow\/[\w-]+))\.ts$/,
      packages,
      node,
    ],
  },
  {
    name: 'the export of spans',
    files: /^api\/runtime\/telemetry\//,
    may: [
      /^core\/(event-store\/port|kernel\/(errors|pause))\.ts$/,
      /^api\/runtime\/(telemetry\/|config\/telemetry\.ts)/,
      /^(@opentelemetry\/[\w-]+|pino|node:(async_hooks|https?))$/,
    ],
  },
  {
    name: 'the api',
    files: /^api\//,
    may: [
      core,
      /^api\//,
      /^projections\/([^/]+\/read|jobs\/(list|board|schedule|details|hints|erased))\.ts$/,
      packages,
      node,
      collector,
    ],
  },
  { name: 'migrations', files: /^migrations\//, may: [/^migrations\//, /^core\/postgres\//, /^pg$/, node] },
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

/** The rooms of the api, lowest first: an import between two of them leads down. */
export const apiRooms = [
  'runtime',
  'providers',
  'deps',
  'http',
  'background',
  'pages',
  'outbox',
  'accounts',
  'businesses',
  'registration',
  'jobs',
  'proof',
  'intake',
  'announcements',
  'live',
  'privacy',
  'backup',
  'assistant',
  'seed',
] as const;

/** Rooms that know no subject: any room above may enter any file of theirs. */
export const ground: readonly string[] = [
  'runtime',
  'providers',
  'deps',
  'http',
  'background',
  'pages',
  'outbox',
];

type ApiRoom = (typeof apiRooms)[number];

/** The room of a file of the api; undefined for a file that puts rooms together. */
export function apiRoomOf(file: string): ApiRoom | undefined {
  if (composition.test(file)) return undefined;
  if (file === 'api/deps.ts') return 'deps';
  const name = /^api\/([^/]+)\//.exec(file)?.[1];
  const room = apiRooms.find((one) => one === name);
  if (!room) throw new Error(`${file} is in no room of the api`);
  return room;
}

/** Which room may import which, types included. A row that nothing uses is taken out. */
export const pairs: readonly (readonly [from: ApiRoom, to: ApiRoom])[] = [
  ['providers', 'runtime'],
  ['deps', 'runtime'],
  ['deps', 'providers'],
  ['http', 'runtime'],
  ['http', 'providers'],
  ['http', 'deps'],
  ['background', 'deps'],
  ['pages', 'runtime'],
  ['pages', 'deps'],
  ['pages', 'http'],
  ['outbox', 'runtime'],
  ['outbox', 'providers'],
  ['outbox', 'deps'],
  ['outbox', 'http'],
  ['outbox', 'background'],
  ['accounts', 'runtime'],
  ['accounts', 'deps'],
  ['accounts', 'http'],
  ['accounts', 'background'],
  ['accounts', 'outbox'],
  ['businesses', 'providers'],
  ['businesses', 'deps'],
  ['businesses', 'http'],
  ['businesses', 'background'],
  ['businesses', 'outbox'],
  ['businesses', 'accounts'],
  ['registration', 'runtime'],
  ['registration', 'providers'],
  ['registration', 'deps'],
  ['registration', 'http'],
  ['registration', 'background'],
  ['registration', 'outbox'],
  ['registration', 'accounts'],
  ['registration', 'businesses'],
  ['jobs', 'runtime'],
  ['jobs', 'providers'],
  ['jobs', 'deps'],
  ['jobs', 'http'],
  ['jobs', 'outbox'],
  ['jobs', 'accounts'],
  ['jobs', 'businesses'],
  ['proof', 'runtime'],
  ['proof', 'providers'],
  ['proof', 'deps'],
  ['proof', 'http'],
  ['proof', 'jobs'],
  ['intake', 'providers'],
  ['intake', 'deps'],
  ['intake', 'http'],
  ['intake', 'pages'],
  ['intake', 'outbox'],
  ['intake', 'accounts'],
  ['intake', 'businesses'],
  ['intake', 'registration'],
  ['intake', 'jobs'],
  ['announcements', 'runtime'],
  ['announcements', 'providers'],
  ['announcements', 'deps'],
  ['announcements', 'http'],
  ['announcements', 'outbox'],
  ['announcements', 'accounts'],
  ['announcements', 'businesses'],
  ['live', 'deps'],
  ['live', 'http'],
  ['live', 'accounts'],
  ['privacy', 'providers'],
  ['privacy', 'deps'],
  ['privacy', 'http'],
  ['privacy', 'background'],
  ['privacy', 'outbox'],
  ['privacy', 'accounts'],
  ['privacy', 'businesses'],
  ['privacy', 'jobs'],
  ['privacy', 'intake'],
  ['backup', 'runtime'],
  ['backup', 'providers'],
  ['backup', 'deps'],
  ['backup', 'proof'],
  ['assistant', 'runtime'],
  ['assistant', 'deps'],
  ['assistant', 'http'],
  ['assistant', 'accounts'],
  ['assistant', 'jobs'],
  ['seed', 'deps'],
  ['seed', 'accounts'],
  ['seed', 'businesses'],
  ['seed', 'registration'],
  ['seed', 'intake'],
];
