-- Since when no backup could be written, and why; the row goes with the next one that is.
alter table state.backups
  add column reason text,
  drop constraint backups_part_check,
  add constraint backups_part_check
    check (part in ('log', 'keys', 'state', 'files', 'verified', 'keys-on-paper', 'failed'));
