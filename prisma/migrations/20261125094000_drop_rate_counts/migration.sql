-- Each process counts requests in its memory. An older process that still runs goes on with its memory alone.
DROP TABLE rate_counts;
