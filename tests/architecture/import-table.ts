/** Who may import whom. The first room that a file belongs to decides. */
export type Room = Readonly<{ name: string; files: RegExp; may: readonly RegExp[] }>;

const core = /^core\//;
const node = /^node:/;
/** A package's name, which no path of ours and no built-in module looks like. */
const packages = /^(?!node:|bun(:|$)|(core|api|projections|migrations|site|tests)\/)/;
const aggregates = ['job', 'registration', 'business', 'enquiry-form', 'account', 'demo'];

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
  {
    name: 'the site',
    files: /^site\//,
    may: [
      /^site\//,
      /^core\/values\/[^/]+(?<!\.type)\.ts$/,
      /^core\/job\/(statuses|lists|customer-messages)\.ts$/,
      packages,
    ],
  },
];
