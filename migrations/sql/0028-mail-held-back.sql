-- Mail that waits until a business confirms its email is neither dead nor sent: `held` while it may still go out, `lapsed`
-- once the day is over in which it is of use. Neither is a failure that an operator must look at.
alter table state.outbox drop constraint outbox_standing_check;
alter table state.outbox add constraint outbox_standing_check
  check (standing in ('waiting', 'held', 'sent', 'unwanted', 'cancelled', 'lapsed', 'dead'));
update state.outbox set standing = 'held', failure = null
where standing = 'dead' and failure like '%held back until the business confirms its email';
create index outbox_held on state.outbox (business_id, settled_at) where standing = 'held';
drop index state.outbox_job;
create index outbox_job on state.outbox (job_id) where standing in ('waiting', 'held', 'lapsed', 'dead');
