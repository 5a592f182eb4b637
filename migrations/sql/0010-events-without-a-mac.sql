-- Every event carries a MAC from the first on: nothing says any more since when.
alter table proof.progress drop column macs_since, drop column macs_after;
