-- Until when a customer's link opens its job. The row is kept for longer, until `expires_at`, so that the page can say that the link has
-- ended and whose it was. Null: the link opens until `expires_at`.
alter table state.answer_links add column opens_until timestamptz;
