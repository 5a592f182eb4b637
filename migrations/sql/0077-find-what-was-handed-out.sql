-- A checkpoint that went out in a mail is not thinned out: once an hour each that is older than a day is looked for among
-- them, and whether a later one of its day is there.
create index handed_out_of_size on proof.handed_out (epoch, size);
create index checkpoints_made_at on proof.checkpoints (epoch, made_at);
