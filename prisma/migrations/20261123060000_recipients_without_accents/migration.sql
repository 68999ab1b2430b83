-- Recipients are found without accents and apostrophes too. Those who have some are read again in the background.
UPDATE "responses" SET "described" = false
WHERE "described" AND "endpoint_category" IN ('letters', 'postcards')
    AND (octet_length(split_part("search_text", chr(31), 2)) > length(split_part("search_text", chr(31), 2))
        OR position('''' IN split_part("search_text", chr(31), 2)) > 0);
