-- A draft with a name is a template of the team. A column without a default rewrites no rows, and the table is small.
ALTER TABLE parked_drafts ADD COLUMN name text, ADD COLUMN mail_type text;
CREATE UNIQUE INDEX parked_drafts_name_key ON parked_drafts (name);
