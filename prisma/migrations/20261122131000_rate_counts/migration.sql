-- How many requests a caller has made in the current minute, where several processes share one database. Unlogged:
-- nothing is lost but a minute's counts when the server crashes, and counting writes no WAL.
CREATE UNLOGGED TABLE rate_counts (
  key TEXT PRIMARY KEY,
  points INTEGER NOT NULL,
  expire BIGINT
);
CREATE INDEX rate_counts_expire_idx ON rate_counts (expire);
