create schema if not exists event_store;
create schema if not exists state;

-- The log. The application's role needs usage on the schema, select and insert on the table, execute on append.
create table event_store.events (
  pos bigint primary key,
  stream text collate "C" not null,
  revision integer not null check (revision >= 0),
  id uuid not null unique,
  type text not null,
  schema integer not null,
  -- Our own clock, part of what is hashed: milliseconds, as JavaScript writes them.
  at timestamptz(3) not null,
  data jsonb not null,
  meta jsonb not null,
  unique (stream, revision)
);

create function event_store.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'events are never changed or deleted' using errcode = 'restrict_violation';
end
$$;

create trigger events_stay
  before update or delete or truncate on event_store.events
  for each statement execute function event_store.refuse_change();

-- Appends all or nothing, in one round trip. One writer at a time: positions have no holes and never commit late.
-- Outcomes: 'appended', 'repeated' (the same ids stand there already), 'conflict' (revision is the actual one, -1 for none).
-- A fact that stands elsewhere in the log breaks the uniqueness of ids. Plans are fixed on the indexes: those made while
-- the table was small would scan it for ever.
create function event_store.append(
  p_stream text,
  p_expected integer,
  p_ids uuid[],
  p_types text[],
  p_schemas integer[],
  p_ats timestamptz[],
  p_data jsonb[],
  p_meta jsonb[],
  out outcome text,
  out revision integer,
  out pos bigint
)
language plpgsql
set search_path = ''
set lock_timeout = '5s'
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  amount integer := cardinality(p_ids);
begin
  -- Held to the commit; each statement below sees what was committed while this one waited.
  perform pg_advisory_xact_lock(7310579643204);

  revision := coalesce((select max(e.revision) from event_store.events e where e.stream = p_stream), -1);

  if revision = p_expected then
    pos := coalesce((select max(e.pos) from event_store.events e), 0);
    insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
    select append.pos + n, p_stream, p_expected + n, id, type, schema, at, data, meta
    from unnest(p_ids, p_types, p_schemas, p_ats, p_data, p_meta)
      with ordinality as e (id, type, schema, at, data, meta, n);
    outcome := 'appended';
    revision := p_expected + amount;
    pos := pos + amount;
    -- A hint only: readers also poll.
    perform pg_notify('event_store', pos::text);
    return;
  end if;

  select 'repeated', max(e.revision), max(e.pos) into outcome, append.revision, append.pos
  from event_store.events e
  where e.stream = p_stream and e.revision > p_expected and e.revision <= p_expected + amount
  having array_agg(e.id order by e.revision) = p_ids;

  if not found then
    outcome := 'conflict';
    revision := coalesce((select max(e.revision) from event_store.events e where e.stream = p_stream), -1);
  end if;
end
$$;

-- One key per data subject, wrapped by DATA_KEY. A destroyed one keeps its row, so that it is never made again.
create table state.subject_keys (
  subject text collate "C" primary key,
  wrapped_key bytea,
  created_at timestamptz not null default now(),
  destroyed_at timestamptz,
  check ((wrapped_key is null) = (destroyed_at is not null))
);
