-- Which log this database belongs to: its kind and the id of its first event, noted once there is one.
create table state.log_identity (
  is_only boolean primary key default true check (is_only),
  kind text not null check (kind in ('embedded', 'eventstoredb')),
  first_event uuid not null,
  noted_at timestamptz not null default now()
);
