import type { Statement } from './statement.ts';

/**
 * What a statement of ours may take for granted, as `show` says it. A database, a login or a server can have other defaults
 * (`alter role … set`), and a pooler other leftovers.
 */
const pinned: Readonly<Record<string, string>> = {
  // First, so that no other of them is cut off by it.
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',

  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  quote_all_identifiers: 'off',
  client_min_messages: 'warning',

  standard_conforming_strings: 'on',
  backslash_quote: 'safe_encoding',
  array_nulls: 'on',
  transform_null_equals: 'off',
  gin_fuzzy_search_limit: '0',
  plan_cache_mode: 'auto',
  jit: 'off',

  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  exit_on_error: 'off',
  // What was acknowledged is on the disk; a transaction that may be lost says so.
  synchronous_commit: 'on',
  row_security: 'on',
  'ute.business': '',

  default_tablespace: '',
  default_table_access_method: 'heap',
  password_encryption: 'scram-sha-256',
};

/** As above, where the server knows them: Postgres 13, 14, 16, 16.4 and 17 brought one each. */
const pinnedIfKnown: Readonly<Record<string, string>> = {
  // Else its log would hold what people typed, where a statement fails.
  log_parameter_max_length_on_error: '0',
  idle_session_timeout: '0',
  createrole_self_grant: '',
  restrict_nonsystem_relation_kind: '',
  transaction_timeout: '0',
};

/** What a session cannot set, or an administrator's alone: looked at. Those that the server does not know are well. */
const watched: Readonly<Record<string, string>> = {
  session_replication_role: 'origin',
  'plpgsql.variable_conflict': 'error',
  zero_damaged_pages: 'off',
  in_hot_standby: 'off',
  server_encoding: 'UTF8',
};

/** Names the session: another value says that a pooler gives its statements to whichever connection is free. */
export const sessionSetting = 'ute.session';

/** Names are ours or in the built-in schema; the operators of pg_trgm lie where an administrator put them. */
const SEARCH_PATH = `select coalesce((
  select case nspname when 'public' then null else 'public, ' || pg_catalog.quote_ident(nspname) end
  from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm'
), 'public')`;

/** Settings of a session, by name, as `show` says them. */
export type Settings = Readonly<Record<string, string>>;

/** How an address names settings that its sessions take besides: as parameters, `set.ute.business=*`. */
const PREFIX = 'set.';

/** The same address for sessions that also have these settings. */
export function withSettings(url: string, settings: Settings): string {
  const address = new URL(url);
  for (const [name, value] of Object.entries(settings)) address.searchParams.set(PREFIX + name, value);
  return address.href;
}

/** What `withSettings` put into an address. */
export function settingsOf(url: string): Settings {
  const given = [...(URL.parse(url)?.searchParams ?? [])].filter(([name]) => name.startsWith(PREFIX));
  return Object.fromEntries(given.map(([name, value]) => [name.slice(PREFIX.length), value]));
}

/**
 * The statements that pin all of it, sent at once as a session begins and not as startup options, which poolers refuse or drop.
 * @param own of this session, over what all have
 */
export function pinStatements(own: Settings, session: string): string {
  const all = { ...pinned, ...own, [sessionSetting]: session };
  const known = Object.entries(pinnedIfKnown).filter(([name]) => !Object.hasOwn(own, name));
  return [
    // Postgres bounds each statement by itself: from the second on by what the first has set.
    ...Object.entries(all).map(([name, value]) => `set ${nameOf(name)} = ${literal(value)}`),
    `set search_path = pg_catalog`,
    `select set_config(name, value, false) from (values ${known.map(([name, value]) => `(${literal(name)}, ${literal(value)})`)}) as pins (name, value)
     where current_setting(name, true) is not null`,
    `select set_config('search_path', (${SEARCH_PATH}), false)`,
  ].join(';\n');
}

const differing = `select name
  from (
    select name, pg_catalog.current_setting(name, true) as value, wanted, must
    from unnest($1::text[], $2::text[], $3::boolean[]) as looked (name, wanted, must)
    union all
    select 'search_path', pg_catalog.current_setting('search_path'), (${SEARCH_PATH}), true
  ) as found
  where value is distinct from wanted and (must or value is not null)`;

/** The statement that names what is not as it was pinned, and what cannot be pinned and is otherwise. */
export function differingStatement(own: Settings, session: string): Statement {
  const must = Object.entries({ ...pinned, ...own, [sessionSetting]: session });
  const may = Object.entries({ ...pinnedIfKnown, ...watched });
  const looked = [...must, ...may];
  return {
    text: differing,
    values: [
      looked.map(([name]) => name),
      looked.map(([, value]) => value),
      looked.map((_, n) => n < must.length),
    ],
  };
}

const nameOf = (name: string) => {
  if (!/^[a-z_]+(\.[a-z_]+)?$/i.test(name)) throw new RangeError('not the name of a setting');
  return name;
};

/** Without a backslash, which means what `standard_conforming_strings` says. */
const literal = (value: string) => {
  if (value.includes('\\')) throw new RangeError('not the value of a setting');
  return `'${value.replaceAll("'", "''")}'`;
};
