/** What a query of cards selects of `read.job_cards_v3`: no notes, and no contact while the status withholds it. */
export const cardColumns = `job_id, business_id, type, status, title, is_urgent, scheduled_at, created_at,
       no_longer_needed_at, name,
       case when status in ('Pending', 'Rejected') then '' else email end as email,
       case when status in ('Pending', 'Rejected') then '' else phone end as phone,
       address, place_id, lat, lng, '' as notes, revision`;
