-- The draft of a registration lies beside its secret's hash and its end; the log holds the milestones alone.
alter table state.registrations
  -- The answers so far and what was verified, as JSON: iv (12 bytes), tag (16), AES-256-GCM under the key of the subject
  -- `registration-<registration_id>`. Null before the first answer, after the end, and for a draft whose answers are in
  -- the log (`RegistrationSaved`) and were not changed since.
  add column draft bytea,
  -- Counts changes: of two at once, the later one is decided anew.
  add column draft_revision integer not null default 0;
