-- What other processes ask the one that signs the log to sign: `code` shows that a process of this installation asks.
create table proof.statements (
  id uuid primary key,
  body text not null,
  code text not null,
  note text,
  asked_at timestamptz not null default now()
);
create index statements_asked_at on proof.statements (asked_at);
