-- As in 0014; the hint says the position of the last event, so that a process which knows of it already reads nothing.
-- Takes several appends at once, as if they came one after the other: each goes in whole or not at all, and answers a row
-- of its own, in turn. One writer at a time: positions have no holes and never commit late.
-- Outcomes: 'appended', 'repeated' (the same ids stand there already), 'conflict' (revision is the actual one, -1 for none).
-- An event that stands elsewhere in the log breaks the uniqueness of ids, and with it the whole call.
-- Plans are fixed on the indexes: those made while the table was small would scan it for ever.
create or replace function event_store.append(
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
    -- A hint only: readers also poll.
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
