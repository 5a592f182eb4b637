-- Once its customer is erased, the link that calls a job off knows whose it was and no job any more.
alter table state.answer_links
  alter column job_id drop not null,
  add constraint answer_links_name_their_job check (job_id is not null or (kind = 'not-needed' and account_id is null));
