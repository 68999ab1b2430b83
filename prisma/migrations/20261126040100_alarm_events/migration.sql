-- An event for each alarm that opens. The evidence stays out of it: it has sentences about people's mail and money.
CREATE FUNCTION "tell_webhooks_of_alarm"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "queue_event"('alarm.opened', NULL, NEW."id"::text,
        jsonb_build_object('kind', NEW."kind", 'subject_type', NEW."subject_type", 'subject_id', NEW."subject_id"));
    RETURN NULL;
END
$$;
CREATE TRIGGER "alarms_webhooks" AFTER INSERT ON "alarms" FOR EACH ROW EXECUTE FUNCTION "tell_webhooks_of_alarm"();
