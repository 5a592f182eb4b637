-- By which keys this database was filled: a keyed hash of a constant per variable, so that other keys are refused before
-- they write beside what they cannot read. It tells nothing of the key.
create table state.key_fingerprints (
  variable text primary key,
  fingerprint bytea not null,
  noted_at timestamptz not null default now()
);
