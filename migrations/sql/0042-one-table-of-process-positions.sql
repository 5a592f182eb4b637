-- How far each process that follows the log and acts has come, and the events that it has set aside: not among the read
-- models, which may be emptied any day. The application brings along what an earlier release stored there.
alter table state.process_positions alter column process type text collate "C";
alter table state.process_positions alter column position type bigint using position::bigint;
alter table state.process_positions add column version integer not null default 1;

create table state.process_parked (
  process text collate "C" not null,
  position bigint not null,
  stream text collate "C" not null,
  revision integer not null,
  type text not null,
  reason text not null,
  primary key (process, position)
);
create index process_parked_stream on state.process_parked (process, stream);
