-- Which checkpoints went out in a mail, by whose job or business it is about: one for a receipt, one a week for a
-- business. A record proves that they are the beginning of its log, which needs no more than their size.
create table proof.handed_out (
  holder text not null,
  epoch integer not null references proof.log,
  size bigint not null,
  at timestamptz not null,
  primary key (holder, epoch, size)
);
