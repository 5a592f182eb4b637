-- The exclusive right to an email, a mobile or a public address is a reservation, with a status.
alter table state.claims rename to reservations;
alter table state.reservations rename column standing to status;
alter table state.reservations rename constraint claims_pkey to reservations_pkey;
alter table state.reservations rename constraint claims_standing_check to reservations_status_check;
alter table state.reservations rename constraint claims_skeleton_check to reservations_skeleton_check;
alter table state.reservations rename constraint claims_check to reservations_expiry_check;
alter index state.claims_by_owner rename to reservations_by_owner;
alter index state.claims_by_expiry rename to reservations_by_expiry;
alter index state.claims_by_skeleton rename to reservations_by_skeleton;
alter index state.claims_without_skeleton rename to reservations_without_skeleton;
alter table state.credentials rename column claims_revision to reservations_revision;

-- How a request reached a public form is its channel; `unavailable`: while the provider of the bot check was.
alter table state.intake rename column door to channel;
alter table state.intake drop constraint intake_door_check;
update state.intake set channel = 'unavailable' where channel = 'away';
alter table state.intake add constraint intake_channel_check check (channel in ('checked', 'page', 'unavailable'));
