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
  stopped_at timestamptz,
  -- Since when the tree has seen events with a MAC, and the position after which each must have one.
  macs_since timestamptz,
  macs_after bigint,
  -- The last whole audit of the log: how many events, when it ended, and the first thing that did not fit.
  audited_size bigint,
  audited_at timestamptz,
  audit_fault text
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

-- From which size on another key signs the log: a note that both keys signed.
create table proof.handovers (
  from_vkey text not null,
  to_vkey text not null,
  note text not null,
  made_at timestamptz not null,
  primary key (from_vkey, to_vkey)
);

-- What other processes ask the one that signs the log to sign: `code` shows that a process of this installation asks.
create table proof.statements (
  id uuid primary key,
  body text not null,
  code text not null,
  note text,
  asked_at timestamptz not null default now()
);
create index statements_asked_at on proof.statements (asked_at);

-- What others say of a checkpoint, outside of the installation: the line by which a witness signs it too (`source` is its key), or
-- a time stamp of its text by RFC 3161 (`source` is the authority's address).
create table proof.attestations (
  epoch integer not null,
  size bigint not null,
  kind text not null check (kind in ('cosignature', 'timestamp')),
  source text not null,
  answer bytea not null,
  at timestamptz not null,
  primary key (epoch, size, kind, source),
  foreign key (epoch, size) references proof.checkpoints on delete cascade
);
create index attestations_newest on proof.attestations (kind, source, epoch, size);

-- Which checkpoints went out in a mail, by whose job or business it is about: one for a receipt, one a week for a
-- business. A record proves that they are the beginning of its log, which needs no more than their size.
create table proof.handed_out (
  holder text not null,
  epoch integer not null references proof.log,
  size bigint not null,
  at timestamptz not null,
  primary key (holder, epoch, size)
);
-- A checkpoint that went out in a mail is not thinned out: once an hour each that is older than a day is looked for among
-- them, and whether a later one of its day is there.
create index handed_out_of_size on proof.handed_out (epoch, size);
create index checkpoints_made_at on proof.checkpoints (epoch, made_at);
