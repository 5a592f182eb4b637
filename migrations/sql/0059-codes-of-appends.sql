-- Since when the tree has seen events with a MAC, and the position after which each must have one.
alter table proof.progress
  add column macs_since timestamptz,
  add column macs_after bigint;
