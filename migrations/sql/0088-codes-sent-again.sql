-- A code that is asked for again leaves the one before valid: a row for each message. They share their tries.
alter table state.registration_codes drop constraint registration_codes_pkey;
alter table state.registration_codes add primary key (registration_id, message_id);
