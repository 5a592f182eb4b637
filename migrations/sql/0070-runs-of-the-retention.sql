-- When it was looked for details that are stored longer than needed, and how many there were: numbers alone. The first run only
-- reports, so a run that removes asks here whether there was one before.
create table state.retention_runs (
  began_at timestamptz primary key,
  -- Of a run that the worker makes by itself: the night, by the date in UTC. Of two workers one makes it.
  night date unique,
  finished_at timestamptz,
  never_accepted integer not null default 0,
  worked_on integer not null default 0,
  -- For how many of them a removal was asked for; a run that only reports asks for none.
  requested integer not null default 0
);
