-- The tree over the whole log: one leaf per event, in the order of the log. Nodes and marks repeat what the log holds and
-- can be made anew from it; checkpoints are what was signed.
create schema proof;

create table proof.log (
  epoch integer primary key,
  origin text not null unique,
  begun_at timestamptz not null default now(),
  from_size bigint not null,
  why text
);

-- Roots of full subtrees of 2^level leaves, for levels 8, 16 and 24: lower ones are hashed from the log when asked for.
create table proof.nodes (
  level smallint not null,
  n integer not null,
  hash bytea not null check (length(hash) = 32),
  primary key (level, n)
);

-- Leaf 256·n is the first after this position, and when its event was written.
create table proof.marks (
  n integer primary key,
  after_position bigint not null,
  at timestamptz not null
);

-- How far the tree is; the hashes of up to 255 leaves that fill no subtree yet; why it goes no further.
create table proof.progress (
  only_row boolean primary key default true check (only_row),
  size bigint not null,
  position bigint not null,
  tail bytea not null,
  stopped text,
  stopped_at timestamptz
);
insert into proof.progress (size, position, tail) values (0, 0, '');

create table proof.checkpoints (
  epoch integer not null references proof.log,
  size bigint not null,
  note text not null,
  made_at timestamptz not null,
  primary key (epoch, size)
);

create table proof.keys (
  vkey text primary key,
  from_size bigint not null,
  until_size bigint
);
