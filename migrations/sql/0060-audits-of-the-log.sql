-- The last whole audit of the log: how many events, when it ended, and the first thing that did not fit.
alter table proof.progress
  add column audited_size bigint,
  add column audited_at timestamptz,
  add column audit_fault text;
