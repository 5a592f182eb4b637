-- The second version of the job cards. The text that searches look in has a table of its own: a change of status,
-- which is most of what happens to a job, then leaves the index of its trigrams alone.
create table read.job_cards_v2 (
  job_id text collate "C" primary key,
  business_id text collate "C" not null,
  type text not null,
  status text collate "C" not null,
  title text not null,
  is_urgent boolean not null,
  scheduled_at timestamptz,
  created_at timestamptz not null,
  no_longer_needed_at timestamptz,
  name text not null,
  email text not null,
  phone text not null,
  address text not null,
  place_id text,
  lat double precision,
  lng double precision,
  notes text not null,
  revision integer not null
);
create index job_cards_v2_created on read.job_cards_v2 (business_id, created_at desc, job_id desc);
create index job_cards_v2_status_created on read.job_cards_v2 (business_id, status, created_at desc, job_id desc);
create index job_cards_v2_scheduled on read.job_cards_v2 (business_id, scheduled_at nulls first, job_id);
create index job_cards_v2_status_scheduled
  on read.job_cards_v2 (business_id, status, scheduled_at nulls first, job_id);

create table read.job_counts_v2 (
  business_id text collate "C" not null,
  status text collate "C" not null,
  n bigint not null,
  primary key (business_id, status)
);

-- `search` is folded: lower case, without accents and macrons, and without the contact while the status withholds it.
create table read.job_search_v2 (
  job_id text collate "C" primary key,
  business_id text collate "C" not null,
  created_at timestamptz not null,
  search text collate "C" not null
);
create index job_search_v2_search on read.job_search_v2 using gin (business_id, search gin_trgm_ops);
create index job_search_v2_created on read.job_search_v2 (business_id, created_at desc, job_id desc);
