-- Up to which moment each part of the backup reaches, when a restore of it was last tried, and when the owner last
-- confirmed that the keys are on paper.
create table state.backups (
  part text primary key
    check (part in ('log', 'keys', 'state', 'files', 'verified', 'keys-on-paper')),
  at timestamptz not null
);

-- What has changed among the keys since the last backup is asked for each minute. Keys are made in the order of time.
create index subject_keys_created on state.subject_keys using brin (created_at) with (pages_per_range = 16);
create index subject_keys_destroyed on state.subject_keys (destroyed_at) where destroyed_at is not null;
