-- Rows in every table, as they were with the migrations up to 20261122103000_tested_piece_keys. Right books: 100 bought,
-- a letter mailed, a postcard cancelled and refunded, one refused, one that needs a decision.
INSERT INTO users (id, display_name, username, email, created_at, updated_at) VALUES
  ('auth-ana', 'Ana López', 'ana', 'ana@example.com', '2026-11-20 08:00:00.123+00', '2026-11-20 08:00:00.123+00'),
  ('user-1', E'Ben "B"\nNguyễn 📮', 'ben', NULL, '2026-11-20 08:01:00+00', '2026-11-20 08:01:00+00');
INSERT INTO revoked_sessions (id, expires_at, revoked_at) VALUES ('s1', '2026-11-21 08:00:00+00', '2026-11-20 09:00:00+00');
INSERT INTO credit_accounts (user_id, balance, held, total_spent, updated_at) VALUES
  ('auth-ana', 98, 1, 2, '2026-11-20 10:00:00+00'), ('user-1', 0, 0, 0, '2026-11-20 10:00:00+00');
INSERT INTO checkout_sessions (id, user_id, actor_id, credits, amount_cents, currency, state, stripe_session_id,
  success_url, cancel_url, note, created_at, closed_at) VALUES
  ('buy', 'auth-ana', 'auth-ana', 100, 999, 'usd', 'completed', 'cs_1', 'https://m.example/users', 'https://m.example/users', NULL,
   '2026-11-20 08:10:00+00', '2026-11-20 08:11:00+00'),
  ('late', 'auth-ana', 'auth-ana', 100, 999, 'usd', 'expired', NULL, '/', '/', 'expired', '2026-11-20 08:20:00+00', '2026-11-20 08:50:00+00');
INSERT INTO sends (id, user_id, actor_id, idempotency_key, request_hash, mail_type, cost, charged, state, method, path, url,
  request_headers, request_body, provider_id, attempts, answer_status, answer_headers, answer_text, duration_ms, note,
  created_at, settled_at, tested_piece_id, recipient_name, recipient_email, recipient_key, cancel_actor_id, cancel_reason,
  cancel_attempts, cancel_asked_at, cancelled_at, address_check, piece_hash) VALUES
  ('mailed', 'auth-ana', 'auth-ana', 'k1', 'h1', 'letter', 2, 2, 'accepted', 'POST', 'letters/create', 'https://api-us1.stannp.com/v1/letters/create',
   '{"content-type":"application/json"}', E'{"pages":"<p>Dear Ana\\u2028</p>","recipient":{"firstname":"Ana"}}', '1001', 1, 200, '{}', '{"success":true,"data":{"id":1001}}', 412, NULL,
   '2026-11-20 09:00:00.001+00', '2026-11-20 09:00:01+00', 'tested', 'Ana López', 'ana@example.com', 'key-1', NULL, NULL, 0, NULL, NULL, 'valid', 'p1'),
  ('cancelled', 'auth-ana', 'auth-ana', 'k2', 'h2', 'postcard', 1, 1, 'cancelled', 'POST', 'postcards/create', 'https://api-us1.stannp.com/v1/postcards/create',
   '{}', '{}', '1002', 1, 200, '{}', '{"success":true,"data":{"id":1002}}', 300, NULL,
   '2026-11-20 09:10:00+00', '2026-11-20 09:10:01+00', NULL, 'Cem', NULL, NULL, 'auth-ana', 'wrong address', 1, '2026-11-20 09:20:00+00', '2026-11-20 09:20:01+00', NULL, NULL),
  ('refused', 'auth-ana', 'user-1', 'k3', 'h3', 'letter', 2, 0, 'refused', 'POST', 'letters/create', 'https://api-us1.stannp.com/v1/letters/create',
   '{}', '{}', NULL, 1, 422, '{}', '{"success":false,"error":"size"}', 90, 'the provider refused this letter: size.',
   '2026-11-20 09:30:00+00', '2026-11-20 09:30:01+00', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL),
  ('review', 'auth-ana', 'auth-ana', 'k4', 'h4', 'postcard', 1, 0, 'needs_review', 'POST', 'postcards/create', 'https://api-us1.stannp.com/v1/postcards/create',
   '{}', '{}', NULL, 9, NULL, NULL, NULL, NULL, 'the provider could not be asked within a day.',
   '2026-11-20 09:40:00+00', NULL, NULL, 'Dee', NULL, NULL, NULL, NULL, 0, NULL, NULL, 'not_found', NULL);
INSERT INTO piece_pdfs (send_id, pdf, attempts, tried_at) VALUES ('mailed', '\x255044462d312e3400ff', 1, '2026-11-20 09:01:00+00');
INSERT INTO credit_transactions (id, user_id, transaction_type, amount, balance_before, balance_after, description, actor_id,
  cause, cause_key, mail_type, reference_response_id, created_at) VALUES
  (11, 'auth-ana', 'purchase', 100, 0, 100, '100 credits', 'stripe', 'checkout', 'buy', NULL, NULL, '2026-11-20 08:11:00.5+00'),
  (12, 'auth-ana', 'debit', 2, 100, 98, 'letter', 'auth-ana', 'send', 'mailed', 'letter', 'mailed', '2026-11-20 09:00:01+00'),
  (15, 'auth-ana', 'debit', 1, 98, 97, 'postcard', 'auth-ana', 'send', 'cancelled', 'postcard', 'cancelled', '2026-11-20 09:10:01+00'),
  (16, 'auth-ana', 'refund', 1, 97, 98, 'postcard, cancelled', 'auth-ana', 'refund', 'cancelled', 'postcard', 'cancelled', '2026-11-20 09:20:01+00');
SELECT setval('credit_transactions_id_seq', 16);
INSERT INTO tested_pieces (id, actor_id, user_id, call_hash, part_hashes, mail_type, provider_format, cost, pdf_url, created_at) VALUES
  ('tested', 'auth-ana', 'auth-ana', 'c1', '{"body":"x"}', 'letter', 'A4', '0.71', 'https://dash.stannp.com/x.pdf', '2026-11-20 08:55:00+00');
INSERT INTO parked_drafts (id, actor_id, content, created_at) VALUES ('draft', 'auth-ana', '{"path":"letters/create"}', '2026-11-20 08:15:00+00');
INSERT INTO responses (id, user_id, actor_id, kind, endpoint_category, endpoint_preset, method, path, status_code, duration_ms, tags,
  search_text, send_id, is_cancelled, cancelled_at, cancellation_reason, created_at, deleted_at, deleted_by) VALUES
  ('mailed', 'auth-ana', 'auth-ana', 'auto', 'letters', 'letters-create', 'POST', 'letters/create', 200, 412, '{auto-saved}', 'letters/create', 'mailed', false, NULL, NULL, '2026-11-20 09:00:01+00', NULL, NULL),
  ('cancelled', 'auth-ana', 'auth-ana', 'auto', 'postcards', 'postcards-create', 'POST', 'postcards/create', 200, 300, '{"a,b","c\"d"}', 'postcards/create', 'cancelled', true, '2026-11-20 09:20:01+00', 'wrong address', '2026-11-20 09:10:01+00', NULL, NULL),
  ('gone', 'user-1', 'auth-ana', 'manual', 'custom', 'custom', 'GET', 'accounts/balance', 404, 20, '{}', 'accounts/balance', NULL, false, NULL, NULL, '2026-11-20 09:12:00+00', '2026-11-20 10:00:00+00', 'auth-ana');
INSERT INTO response_bodies (response_id, request_data, response_data, response_headers) VALUES
  ('mailed', '{"method":"POST"}', '{"success":true}', '{}'), ('cancelled', NULL, NULL, '{}'), ('gone', '{}', '"<html>"', '{"a":"b"}');
INSERT INTO response_counters (status, shard, total) VALUES (200, 0, 1), (200, 3, 1);
INSERT INTO response_hours (hour, status, shard, total) VALUES ('2026-11-20 09:00:00+00', 200, 0, 2);
INSERT INTO mail_items (id, user_id, actor_id, send_id, type, preset, method, path, base_url, provider_id, addressee, status,
  status_rank, status_at, test, is_cancelled, cancelled_at, cancellation_reason, created_at) VALUES
  ('mailed', 'auth-ana', 'auth-ana', 'mailed', 'letter', 'letters-create', 'POST', 'letters/create', 'https://api-us1.stannp.com/v1', '1001', 'Ana López', 'printing', 20, '2026-11-20 12:00:00+00', false, false, NULL, NULL, '2026-11-20 09:00:01+00'),
  ('cancelled', 'auth-ana', 'auth-ana', 'cancelled', 'postcard', 'postcards-create', 'POST', 'postcards/create', 'https://api-us1.stannp.com/v1', '1002', 'Cem', 'cancelled', 100, '2026-11-20 09:20:01+00', false, true, '2026-11-20 09:20:01+00', 'wrong address', '2026-11-20 09:10:01+00'),
  ('sample', 'auth-ana', 'auth-ana', NULL, 'letter', 'letters-create', 'POST', 'letters/create', 'https://api-us1.stannp.com/v1', '0', 'Ana López', 'test', 0, '2026-11-20 08:55:00+00', true, false, NULL, NULL, '2026-11-20 08:55:00+00');
INSERT INTO mail_events (id, item_id, status, source, at, said_at) VALUES
  (1, 'mailed', 'received', 'send', '2026-11-20 09:00:01+00', NULL), (2, 'mailed', 'printing', 'webhook', '2026-11-20 12:00:00+00', '2026-11-20 11:59:00+00'),
  (3, 'cancelled', 'cancelled', 'cancel', '2026-11-20 09:20:01+00', NULL);
SELECT setval('mail_events_id_seq', 3);
INSERT INTO pending_events (provider_id, send_id, status, said_at, received_at) VALUES ('1003', '', 'printing', '2026-11-20 11:00:00+00', '2026-11-20 11:00:02+00');
INSERT INTO mail_recipients (id, user_id, base_url, recipient_id, name, email, is_verified, created_at, deleted_at) VALUES
  ('r1', 'auth-ana', 'https://api-us1.stannp.com/v1', '77', 'Ana López', 'ana@example.com', true, '2026-11-20 09:00:01+00', NULL),
  ('r2', 'auth-ana', 'https://api-us1.stannp.com/v1', NULL, 'Cem', NULL, false, '2026-11-20 09:10:01+00', '2026-11-20 10:10:01+00');
