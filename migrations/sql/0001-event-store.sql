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
create function event_store.append(
  p_stream text,
  p_expected integer,
  p_ids uuid[],
  p_types text[],
  p_schemas integer[],
  p_ats timestamptz[],
  p_data jsonb[],
  p_meta jsonb[]
) returns table (outcome text, revision integer, pos bigint)
language plpgsql
set search_path = ''
set lock_timeout = '5s'
as $$
declare
  actual integer;
  last_pos bigint;
  amount integer := cardinality(p_ids);
begin
  -- Held to the commit; each statement below sees what was committed while this one waited.
  perform pg_advisory_xact_lock(7310579643204);

  actual := coalesce((select max(e.revision) from event_store.events e where e.stream = p_stream), -1);

  if actual <> p_expected then
    return query
      select 'repeated', max(e.revision), max(e.pos)
      from event_store.events e
      where e.stream = p_stream and e.revision > p_expected and e.revision <= p_expected + amount
      having array_agg(e.id order by e.revision) = p_ids;
    if not found then
      return query select 'conflict', actual, null::bigint;
    end if;
    return;
  end if;

  -- The same fact at another place is no repeat: it answers as a conflict, not as a broken constraint.
  if exists (select from event_store.events e where e.id = any (p_ids)) then
    return query select 'conflict', actual, null::bigint;
    return;
  end if;

  last_pos := coalesce((select max(e.pos) from event_store.events e), 0);

  insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
  select last_pos + n, p_stream, p_expected + n, id, type, schema, at, data, meta
  from unnest(p_ids, p_types, p_schemas, p_ats, p_data, p_meta)
    with ordinality as e (id, type, schema, at, data, meta, n);

  -- A hint only: readers also poll.
  perform pg_notify('event_store', (last_pos + amount)::text);

  return query select 'appended', p_expected + amount, last_pos + amount;
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
