-- Its owner runs it at every start, so it stands where ute_app, which owns `read`, can replace nothing. Written anew and not
-- moved: what stands in `read` may not be ours any more.
drop function if exists read.guard_rows(regclass);

create function migrations.guard_rows(guarded regclass) returns void language plpgsql
set search_path = ''
as $$
declare
  base text;
begin
  select regexp_replace(relname, '(_v\d+)?(__\w+)?$', '') into base from pg_catalog.pg_class where oid = guarded;
  -- Read before the business is known; or lists and counts, which it makes slower than they may be (core/decisions/038).
  if base in ('accounts', 'account_businesses', 'public_forms', 'public_form_questions')
    or base in ('job_cards', 'job_counts', 'job_search', 'held_jobs')
    or not exists (
      select from pg_catalog.pg_attribute where attrelid = guarded and attname = 'business_id' and not attisdropped
    )
    or exists (select from pg_catalog.pg_policy where polrelid = guarded)
  then
    return;
  end if;
  execute format(
    'create policy one_business on %s using (
      business_id = current_setting(''ute.business'', true) or current_setting(''ute.business'', true) = ''*''
    )',
    guarded
  );
  -- Forced, because the application owns what rebuilds make.
  execute format('alter table %s enable row level security, force row level security', guarded);
end
$$;
