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
