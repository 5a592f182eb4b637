-- Read models: rebuildable from the log at any time, written by projections alone.
create schema if not exists read;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- How far each projection is. A rebuild has a row of its own, `<projection>__next`, until it takes over.
create table read.checkpoints (
  projection text collate "C" primary key,
  version integer not null,
  position bigint not null
);

-- Events set aside because they cannot be read or applied, with the later events of their streams.
create table read.projection_parked (
  projection text collate "C" not null,
  position bigint not null,
  stream text collate "C" not null,
  revision integer not null,
  type text not null,
  reason text not null,
  primary key (projection, position)
);
create index projection_parked_stream on read.projection_parked (projection, stream);

create table read.job_cards (
  job_id text collate "C" primary key,
  business_id text collate "C" not null,
  type text not null,
  status text collate "C" not null,
  title text not null,
  is_urgent boolean not null,
  scheduled_at timestamptz,
  created_at timestamptz not null,
  name text not null,
  email text not null,
  phone text not null,
  address text not null,
  place_id text,
  lat double precision,
  lng double precision,
  notes text not null,
  contact_search text not null,
  revision integer not null,
  -- A customer's contact is withheld while the job waits or was turned down: then search cannot match it either.
  search text not null generated always as (
    lower(
      name || E'\n' || title || E'\n' || address || E'\n' || notes
      || case when status in ('Pending', 'Rejected') then '' else E'\n' || contact_search end
    )
  ) stored
);
create index job_cards_created on read.job_cards (business_id, created_at desc, job_id desc);
create index job_cards_status_created on read.job_cards (business_id, status, created_at desc, job_id desc);
create index job_cards_scheduled on read.job_cards (business_id, scheduled_at nulls first, job_id);
create index job_cards_status_scheduled
  on read.job_cards (business_id, status, scheduled_at nulls first, job_id);
create index job_cards_search on read.job_cards using gin (business_id, search gin_trgm_ops);

create table read.job_counts (
  business_id text collate "C" not null,
  status text collate "C" not null,
  n bigint not null,
  primary key (business_id, status)
);

create table read.job_details (
  job_id text collate "C" primary key,
  business_id text collate "C" not null,
  type text not null,
  status text not null,
  title text not null,
  is_urgent boolean not null,
  scheduled_at timestamptz,
  created_at timestamptz not null,
  name text not null,
  email text not null,
  phone text not null,
  address text not null,
  place_id text,
  lat double precision,
  lng double precision,
  notes text not null,
  description text not null,
  wished_time text not null,
  answers jsonb not null,
  media jsonb not null,
  revision integer not null
);

create table read.accounts (
  account_id text collate "C" primary key,
  business_id text collate "C" not null,
  email text not null,
  phone text not null,
  first_name text not null,
  last_name text not null,
  onboarding boolean not null,
  revision integer not null
);

create table read.account_businesses (
  business_id text collate "C" primary key,
  region text not null,
  plan text not null,
  time_zone text not null,
  bn text not null,
  name text not null,
  trading_name text not null,
  slug text,
  theme text not null,
  logo text,
  intro text not null,
  revision integer not null
);

create table read.public_forms (
  business_id text collate "C" primary key,
  slug text collate "C",
  name text not null,
  tagline text not null,
  region text not null,
  theme text not null,
  logo text,
  intro text not null,
  phone text,
  email text,
  branded_at timestamptz,
  revision integer not null
);
-- Not unique: who holds a slug is settled by the claim before the append, and a parked event must not block another business.
create index public_forms_slug on read.public_forms (slug);

create table read.public_form_questions (
  business_id text collate "C" primary key,
  form jsonb not null,
  revision integer not null
);
