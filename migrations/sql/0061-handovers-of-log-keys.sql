-- From which size on another key signs the log: a note that both keys signed.
create table proof.handovers (
  from_vkey text not null,
  to_vkey text not null,
  note text not null,
  made_at timestamptz not null,
  primary key (from_vkey, to_vkey)
);
