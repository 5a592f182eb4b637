-- The customer's link to what is held about them, beside the one that calls a job off and the tradie's that answers one.
alter table state.answer_links
  drop constraint answer_links_kind_check,
  add constraint answer_links_kind_check check (kind in ('answer', 'not-needed', 'privacy'));
