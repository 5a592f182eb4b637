-- Under whose key a customer's file is sealed; null for one from before files were, and for a logo. The file says the same.
alter table state.files add column sealed_for text;
create index files_to_seal on state.files (id)
  where job_id is not null and kind <> 'logo' and sealed_for is distinct from 'customer-' || job_id;
