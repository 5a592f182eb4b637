-- What became of a message is its delivery status, and one that is not wanted any more is discarded.
alter table state.outbox rename column standing to delivery_status;
alter table state.outbox drop constraint outbox_standing_check;
update state.outbox set delivery_status = 'discarded' where delivery_status = 'unwanted';
alter table state.outbox add constraint outbox_delivery_status_check
  check (delivery_status in ('waiting', 'held', 'sent', 'discarded', 'cancelled', 'lapsed', 'dead'));
alter index state.outbox_told rename to outbox_announced;
