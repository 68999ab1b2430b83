-- The search for a person's data finds recipients by their e-mail. On a large table, build it by hand with CONCURRENTLY first.
CREATE INDEX IF NOT EXISTS "mail_recipients_email_idx" ON "mail_recipients"(lower("email"));
