-- Since `webhook_events` the triggers call `queue_event`. A statement of an older process that is within an old trigger at this moment
-- fails, is rolled back and is repeated by recovery.
DROP FUNCTION "queue_webhook"(TEXT, TEXT, JSON);
DROP FUNCTION "describe_piece_for_webhook"(TEXT, INTEGER);
DROP FUNCTION "wants_webhook"(TEXT);
