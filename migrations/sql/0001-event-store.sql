create schema event_store;
create schema state;

-- The log. What the application may do with it stands in grants.sql.
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

-- Takes several appends at once, as if they came one after the other: each goes in whole or not at all, and answers a row
-- of its own, in turn. One writer at a time: positions have no holes and never commit late.
-- Outcomes: 'appended', 'repeated' (the same ids stand there already), 'conflict' (revision is the actual one, -1 for none).
-- An event that stands elsewhere in the log breaks the uniqueness of ids, and with it the whole call.
-- Plans are fixed on the indexes: those made while the table was small would scan it for ever.
create function event_store.append(
  p_lasts integer[], -- per append, where its last event stands in the lists below
  p_streams text[], -- per event, and so the lists that follow
  p_revisions integer[],
  p_ids uuid[],
  p_types text[],
  p_schemas integer[],
  p_ats timestamptz[],
  p_data jsonb[],
  p_meta jsonb[]
)
returns table (outcome text, revision integer, pos bigint)
language plpgsql
set search_path = ''
set lock_timeout = '5s'
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  amount integer := cardinality(p_ids);
  head bigint;
  actual integer;
  fits boolean;
  first integer := 1;
  last integer;
begin
  -- Held to the commit; each statement below sees what was committed while this one waited.
  perform pg_advisory_xact_lock(7310579643204);

  -- One event by itself is what most commands append: two look-ups and an insert say the same in a third of the time.
  if amount = 1 then
    select
      coalesce((select max(e.pos) from event_store.events e), 0),
      coalesce((select max(e.revision) from event_store.events e where e.stream = p_streams[1]), -1)
    into head, actual;
    if p_revisions[1] = actual + 1 then
      insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
      values (
        head + 1, p_streams[1], p_revisions[1], p_ids[1], p_types[1], p_schemas[1], p_ats[1], p_data[1], p_meta[1]
      );
      -- A hint only, as readers also poll: a process that has read as far reads nothing.
      perform pg_notify('event_store', (head + 1)::text);
      return query select 'appended', p_revisions[1], head + 1;
      return;
    end if;
  end if;

  -- All of it fits when each event follows the end of its stream, or the one before it in these lists.
  select coalesce((select max(e.pos) from event_store.events e), 0), max(w.old_end), bool_and(w.revision = w.old_end + w.nth)
  into head, actual, fits
  from (
    select
      revision,
      row_number() over (partition by stream order by n) as nth,
      coalesce((select max(e.revision) from event_store.events e where e.stream = given.stream), -1) as old_end
    from (
      select generate_series(1, amount) as n, unnest(p_streams) as stream, unnest(p_revisions) as revision
    ) as given
  ) as w;

  if fits then
    -- Lists unfolded side by side in the select list: as a function in the from clause they cost twice as much.
    insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
    select head + n, stream, revision, id, type, schema, at, data, meta
    from (
      select
        generate_series(1, amount) as n,
        unnest(p_streams) as stream,
        unnest(p_revisions) as revision,
        unnest(p_ids) as id,
        unnest(p_types) as type,
        unnest(p_schemas) as schema,
        unnest(p_ats) as at,
        unnest(p_data) as data,
        unnest(p_meta) as meta
    ) as given;
    perform pg_notify('event_store', (head + amount)::text);
    return query select 'appended', p_revisions[l], head + l from unnest(p_lasts) as l;
  elsif cardinality(p_lasts) > 1 then
    foreach last in array p_lasts loop
      return query select a.outcome, a.revision, a.pos
      from event_store.append(
        array[last - first + 1], p_streams[first:last], p_revisions[first:last], p_ids[first:last], p_types[first:last],
        p_schemas[first:last], p_ats[first:last], p_data[first:last], p_meta[first:last]
      ) as a;
      first := last + 1;
    end loop;
  else
    return query select 'repeated', max(e.revision), max(e.pos)
    from event_store.events e
    where e.stream = p_streams[1] and e.revision between p_revisions[1] and p_revisions[amount]
    having array_agg(e.id order by e.revision) = p_ids;
    if not found then
      return query select 'conflict', actual, null::bigint;
    end if;
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
-- What has changed among the keys since the last backup is asked for each minute. Keys are made in the order of time.
create index subject_keys_created on state.subject_keys using brin (created_at) with (pages_per_range = 16);
create index subject_keys_destroyed on state.subject_keys (destroyed_at) where destroyed_at is not null;

-- Which log this database belongs to: its kind and the id of its first event, noted once there is one.
create table state.log_identity (
  is_only boolean primary key default true check (is_only),
  kind text not null check (kind in ('embedded', 'eventstoredb')),
  first_event uuid not null,
  noted_at timestamptz not null default now()
);
