-- By which keys this database was filled: a keyed hash of a constant per variable, so that other keys are refused before
-- they write beside what they cannot read. It tells nothing of the key.
create table state.key_fingerprints (
  variable text primary key,
  fingerprint bytea not null,
  noted_at timestamptz not null default now()
);

-- Up to which moment each part of the backup reaches, when a restore of it was last tried, and when the owner last
-- confirmed that the keys are on paper.
create table state.backups (
  part text primary key
    check (part in ('log', 'keys', 'state', 'files', 'verified', 'keys-on-paper', 'failed')),
  at timestamptz not null,
  -- Of `failed`: why no backup could be written since then. The row goes with the next one that is.
  reason text
);
