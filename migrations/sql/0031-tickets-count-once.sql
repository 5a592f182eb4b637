-- Whether a refused post with this ticket was counted for the price of a form: each ticket raises it once.
alter table state.bot_check_tickets add column counted boolean not null default false;
