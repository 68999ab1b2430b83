-- A row whose piece needs a decision is checking, not sent. A row whose piece was decided as not mailed is refused.
UPDATE "bulk_rows" r
SET "state" = CASE s."state" WHEN 'refused' THEN 'refused' ELSE 'checking' END,
    "problem" = CASE s."state" WHEN 'refused' THEN s."note" END
FROM "sends" s
WHERE s."state" IN ('needs_review', 'refused') AND s."credit_reservation_id" IS NOT NULL
    AND r."list_id" = split_part(s."idempotency_key", ':', 2)
    AND r."number" = CASE WHEN s."idempotency_key" ~ '^list:[^:]+:[0-9]{1,9}:' THEN split_part(s."idempotency_key", ':', 3)::int END
    AND r."send_id" = s."id" AND r."state" = 'sent';
