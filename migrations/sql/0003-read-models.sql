-- Read models: rebuildable from the log at any time, written by projections alone.
create schema read;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- How far each projection is. A rebuild has a row of its own, `<projection>__next`, until it takes over.
create table read.checkpoints (
  projection text collate "C" primary key,
  version integer not null,
  position bigint not null
);

-- Events set aside because they cannot be read or applied, with the later events of their streams.
create table read.projection_parked (
  projection text collate "C" not null,
  position bigint not null,
  stream text collate "C" not null,
  revision integer not null,
  type text not null,
  reason text not null,
  primary key (projection, position)
);
create index projection_parked_stream on read.projection_parked (projection, stream);

-- How far each process that follows the log and acts has come, and the events that it has set aside: not among the read
-- models, which may be emptied any day.
create table state.process_positions (
  process text collate "C" primary key,
  position bigint not null,
  version integer not null default 1
);

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
