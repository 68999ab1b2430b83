-- A person's data is erased from the history of pieces by whoever says so in the same transaction. Rows stay.
CREATE OR REPLACE FUNCTION "refuse_piece_event_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('mailroom.erasing', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'piece_events is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE INDEX "sends_recipient_key_idx" ON "sends"("recipient_key");
CREATE INDEX "sends_recipient_id_idx" ON "sends"("recipient_id");
