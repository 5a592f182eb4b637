-- The third version of the job cards: while a job waits or was turned down, searches look in its texts without the phone
-- numbers and addresses that they hold. The tables are those of the second version, filled anew from the log.
create table read.job_cards_v3 (
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
create index job_cards_v3_created on read.job_cards_v3 (business_id, created_at desc, job_id desc);
create index job_cards_v3_status_created on read.job_cards_v3 (business_id, status, created_at desc, job_id desc);
create index job_cards_v3_scheduled on read.job_cards_v3 (business_id, scheduled_at nulls first, job_id);
create index job_cards_v3_status_scheduled
  on read.job_cards_v3 (business_id, status, scheduled_at nulls first, job_id);

create table read.job_counts_v3 (
  business_id text collate "C" not null,
  status text collate "C" not null,
  n bigint not null,
  primary key (business_id, status)
);

-- `search` is folded: lower case, without accents and macrons, and without contact while the status withholds it.
create table read.job_search_v3 (
  job_id text collate "C" primary key,
  business_id text collate "C" not null,
  created_at timestamptz not null,
  search text collate "C" not null
);
create index job_search_v3_search on read.job_search_v3 using gin (business_id, search gin_trgm_ops);
create index job_search_v3_created on read.job_search_v3 (business_id, created_at desc, job_id desc);
