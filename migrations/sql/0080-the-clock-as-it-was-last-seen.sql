-- What the worker read on its clock when it last looked: one row. After a jump of the clock nothing is erased until `rests_until`.
create table state.clock_seen (
  only_row boolean primary key default true check (only_row),
  seen_at timestamptz not null,
  rests_until timestamptz
);
