-- Why the credits of a refused piece were released. Null: it was released before causes were stored.
ALTER TABLE "sends" ADD COLUMN "release_cause" TEXT;
ALTER TABLE "sends" ADD CONSTRAINT "sends_release_cause_check" CHECK ("release_cause" IN
    ('refused', 'rate_limited', 'never_called', 'unreachable', 'sample', 'not_listed', 'given_up', 'decided')) NOT VALID;
