-- The tradie's photos of a job, beside a business's logo and a customer's files.
alter table state.files
  drop constraint files_kind_check,
  add constraint files_kind_check check (kind in ('logo', 'media', 'photo'));
