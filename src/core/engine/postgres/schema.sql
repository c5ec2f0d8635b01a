-- Generated from schema.sql by "bun scripts/postgres-schema.ts". Do not edit. The schema of Kontor for PostgreSQL 15.
--
-- Where it differs: texts are compared by code points (COLLATE "C"); whole numbers have 64 bits; the search tables are
-- ordinary tables with indexes; the ID of a numbered row is the primary key; a reference to a table that is created
-- later is added at the end.

DO $$
BEGIN
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RAISE EXCEPTION 'The database has the encoding %. Kontor needs UTF8.', current_setting('server_encoding')
      USING ERRCODE = 'feature_not_supported';
  END IF;
  IF current_setting('server_version_num')::integer < 150000 THEN
    RAISE EXCEPTION 'The server is PostgreSQL %. Kontor needs version 15 or later.', current_setting('server_version')
      USING ERRCODE = 'feature_not_supported';
  END IF;
END
$$;

-- The search needs trigrams. The owner of a database may create this extension.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION
  WHEN insufficient_privilege THEN
    RAISE EXCEPTION 'The extension pg_trgm is missing, and this user may not create it. Run "CREATE EXTENSION pg_trgm" in the database as its owner or as a superuser.'
      USING ERRCODE = 'insufficient_privilege';
  WHEN undefined_file OR feature_not_supported THEN
    RAISE EXCEPTION 'The extension pg_trgm is not installed on the server. It is part of PostgreSQL''s contrib package.'
      USING ERRCODE = 'feature_not_supported';
END
$$;

-- These functions give what the functions of the same name give in SQLite, so that the same statements run on both.

-- Refuses text that is not JSON with an error, because PostgreSQL 15 has no function that returns false.
CREATE FUNCTION json_valid(document text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CAST(document AS json) IS NOT NULL OR NULL;

-- A JSON value as a value of SQL. SQLite has 1 and 0 for true and false.
CREATE FUNCTION json_plain(value json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN json_typeof(value) = 'boolean' THEN CASE CAST(value AS text) WHEN 'true' THEN '1' ELSE '0' END
    ELSE value #>> '{}' END;

-- A member of a JSON object: by its name, or by a path such as $.name.
CREATE FUNCTION json_member(document text, path text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN json_plain(CASE WHEN starts_with(path, '$.')
    THEN CAST(document AS json) #> string_to_array(substr(path, 3), '.') ELSE CAST(document AS json) -> path END);
CREATE FUNCTION json_member(document text, place integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN json_plain(CAST(document AS json) -> place);
CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = text, FUNCTION = json_member);
CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = integer, FUNCTION = json_member);

-- The elements of a JSON array or the members of a JSON object. A value that is an array or an object is JSON text.
CREATE FUNCTION json_each(document text) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 20
  BEGIN ATOMIC
    SELECT CAST(place - 1 AS text), json_plain(element)
    FROM json_array_elements(CASE WHEN json_typeof(CAST(document AS json)) = 'array' THEN CAST(document AS json) END)
      WITH ORDINALITY AS elements (element, place)
    UNION ALL SELECT name, json_plain(member)
    FROM json_each(CASE WHEN json_typeof(CAST(document AS json)) = 'object' THEN CAST(document AS json) END)
      AS members (name, member);
  END;

-- The larger and the smaller of two values, or NULL when one of them is NULL.
CREATE FUNCTION max(a bigint, b bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN a > b THEN a WHEN a <= b THEN b END;
CREATE FUNCTION min(a bigint, b bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN a < b THEN a WHEN a >= b THEN b END;
CREATE FUNCTION max(a numeric, b numeric) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN a > b THEN a WHEN a <= b THEN b END;
CREATE FUNCTION min(a numeric, b numeric) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN a < b THEN a WHEN a >= b THEN b END;
CREATE FUNCTION max(a integer, b integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN a > b THEN a WHEN a <= b THEN b END;
CREATE FUNCTION min(a integer, b integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN a < b THEN a WHEN a >= b THEN b END;
CREATE FUNCTION max(a text, b text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN a COLLATE "C" > b COLLATE "C" THEN a WHEN a COLLATE "C" <= b COLLATE "C" THEN b END;
CREATE FUNCTION min(a text, b text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN a COLLATE "C" < b COLLATE "C" THEN a WHEN a COLLATE "C" >= b COLLATE "C" THEN b END;

-- The sum, which is 0 when there are no rows.
CREATE AGGREGATE total(bigint)
  (SFUNC = int8pl, STYPE = bigint, INITCOND = '0', COMBINEFUNC = int8pl, PARALLEL = SAFE);
CREATE AGGREGATE total(numeric)
  (SFUNC = numeric_add, STYPE = numeric, INITCOND = '0', COMBINEFUNC = numeric_add, PARALLEL = SAFE);
CREATE AGGREGATE total(double precision)
  (SFUNC = float8pl, STYPE = double precision, INITCOND = '0', COMBINEFUNC = float8pl, PARALLEL = SAFE);

-- The place of a text inside another, beginning with 1, or 0.
CREATE FUNCTION instr(whole text, part text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN strpos(whole, part);

-- A number with 15 significant digits. No other format is used.
CREATE FUNCTION printf(format text, n numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN format = '%.15g' AND n = 0 THEN '0' WHEN format = '%.15g'
    THEN CAST(trim_scale(round(n, 14 - CAST(floor(log(abs(n))) AS integer))) AS text) END;

-- A text as it is. In SQLite, + keeps a condition from using an index.
CREATE FUNCTION same_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN value;
CREATE OPERATOR + (RIGHTARG = text, FUNCTION = same_text);

-- The functions below are those that src/core/engine/sqlite/open.ts adds to SQLite.

-- Lower case in every script, with one form of the small sigma.
CREATE FUNCTION lowered(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C")
    ELSE translate(lower(value COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C" END;

CREATE FUNCTION without_marks(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(value COLLATE "C", '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09bc\u09be-\u09c4\u09c7-\u09c8\u09cb-\u09cd\u09d7\u09e2-\u09e3\u09fe\u0a01-\u0a03\u0a3c\u0a3e-\u0a42\u0a47-\u0a48\u0a4b-\u0a4d\u0a51\u0a70-\u0a71\u0a75\u0a81-\u0a83\u0abc\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae2-\u0ae3\u0afa-\u0aff\u0b01-\u0b03\u0b3c\u0b3e-\u0b44\u0b47-\u0b48\u0b4b-\u0b4d\u0b55-\u0b57\u0b62-\u0b63\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d\u0c55-\u0c56\u0c62-\u0c63\u0c81-\u0c83\u0cbc\u0cbe-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5-\u0cd6\u0ce2-\u0ce3\u0cf3\u0d00-\u0d03\u0d3b-\u0d3c\u0d3e-\u0d44\u0d46-\u0d48\u0d4a-\u0d4d\u0d57\u0d62-\u0d63\u0d81-\u0d83\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0df2-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f3f\u0f71-\u0f84\u0f86-\u0f87\u0f8d-\u0f97\u0f99-\u0fbc\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u135d-\u135f\u1712-\u1715\u1732-\u1734\u1752-\u1753\u1772-\u1773\u17b4-\u17d3\u17dd\u180b-\u180d\u180f\u1885-\u1886\u18a9\u1920-\u192b\u1930-\u193b\u1a17-\u1a1b\u1a55-\u1a5e\u1a60-\u1a7c\u1a7f\u1ab0-\u1add\u1ae0-\u1aeb\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua802\ua806\ua80b\ua823-\ua827\ua82c\ua880-\ua881\ua8b4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36\uaa43\uaa4c-\uaa4d\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaeb-\uaaef\uaaf5-\uaaf6\uabe3-\uabea\uabec-\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\U000101fd\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a03\U00010a05-\U00010a06\U00010a0c-\U00010a0f\U00010a38-\U00010a3a\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab-\U00010eac\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011000-\U00011002\U00011038-\U00011046\U00011070\U00011073-\U00011074\U0001107f-\U00011082\U000110b0-\U000110ba\U000110c2\U00011100-\U00011102\U00011127-\U00011134\U00011145-\U00011146\U00011173\U00011180-\U00011182\U000111b3-\U000111c0\U000111c9-\U000111cc\U000111ce-\U000111cf\U0001122c-\U00011237\U0001123e\U00011241\U000112df-\U000112ea\U00011300-\U00011303\U0001133b-\U0001133c\U0001133e-\U00011344\U00011347-\U00011348\U0001134b-\U0001134d\U00011357\U00011362-\U00011363\U00011366-\U0001136c\U00011370-\U00011374\U000113b8-\U000113c0\U000113c2\U000113c5\U000113c7-\U000113ca\U000113cc-\U000113d0\U000113d2\U000113e1-\U000113e2\U00011435-\U00011446\U0001145e\U000114b0-\U000114c3\U000115af-\U000115b5\U000115b8-\U000115c0\U000115dc-\U000115dd\U00011630-\U00011640\U000116ab-\U000116b7\U0001171d-\U0001172b\U0001182c-\U0001183a\U00011930-\U00011935\U00011937-\U00011938\U0001193b-\U0001193e\U00011940\U00011942-\U00011943\U000119d1-\U000119d7\U000119da-\U000119e0\U000119e4\U00011a01-\U00011a0a\U00011a33-\U00011a39\U00011a3b-\U00011a3e\U00011a47\U00011a51-\U00011a5b\U00011a8a-\U00011a99\U00011b60-\U00011b67\U00011c2f-\U00011c36\U00011c38-\U00011c3f\U00011c92-\U00011ca7\U00011ca9-\U00011cb6\U00011d31-\U00011d36\U00011d3a\U00011d3c-\U00011d3d\U00011d3f-\U00011d45\U00011d47\U00011d8a-\U00011d8e\U00011d90-\U00011d91\U00011d93-\U00011d97\U00011ef3-\U00011ef6\U00011f00-\U00011f01\U00011f03\U00011f34-\U00011f3a\U00011f3e-\U00011f42\U00011f5a\U00013440\U00013447-\U00013455\U0001611e-\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016f4f\U00016f51-\U00016f87\U00016f8f-\U00016f92\U00016fe4\U00016ff0-\U00016ff1\U0001bc9d-\U0001bc9e\U0001cf00-\U0001cf2d\U0001cf30-\U0001cf46\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001da00-\U0001da36\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001da9f\U0001daa1-\U0001daaf\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021\U0001e023-\U0001e024\U0001e026-\U0001e02a\U0001e08f\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef\U0001e6e3\U0001e6e6\U0001e6ee-\U0001e6ef\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a\U000e0100-\U000e01ef]+', '', 'g');

-- Text without case and accents, as src/core/lib/text.ts folds it.
CREATE FUNCTION folded(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C")
    ELSE normalize(replace(replace(replace(replace(
      translate(lowered(without_marks(normalize(without_marks(value), NFKD))), 'øđłðı', 'odldi'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), NFC) COLLATE "C" END;

-- True when a text matches a pattern of LIKE in every case of its letters. A pattern without a wildcard matches inside.
CREATE FUNCTION matches_pattern(value text, pattern text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN regexp_replace(pattern, '\\.', '', 'g') ~ '[%_]'
    -- A backslash at the end stands for itself.
    THEN lowered(value) LIKE lowered(pattern)
      || CASE WHEN right(regexp_replace(pattern, '\\.', '', 'g'), 1) = '\' THEN '\' ELSE '' END
    ELSE strpos(lowered(value), regexp_replace(lowered(pattern), '\\(.)', '\1', 'g')) > 0 END;
CREATE FUNCTION matches_pattern(value bigint, pattern text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN matches_pattern(CAST(value AS text), pattern);
CREATE FUNCTION matches_pattern(value double precision, pattern text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN matches_pattern(CAST(value AS text), pattern);

-- True when a folded text contains each of the words, which are separated by line ends.
CREATE FUNCTION has_words(value text, words text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT coalesce(bool_and(strpos(plain.text, word) > 0), true)
    FROM (SELECT folded(coalesce(value, 'null')) AS text OFFSET 0) AS plain, string_to_table(words, chr(10)) AS word;
  END;

-- The words of a record, as the search finds them: A marks those of lists, and B those of the global search. Words
-- are separated by one space. PostgreSQL refuses words of more than 2,046 bytes, so a long one is cut.
CREATE FUNCTION search_lexemes(words text, weight text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN words = '' THEN '' ELSE CAST(replace(
    CASE WHEN length(words) > 255 THEN regexp_replace(words, '([^ ]{255})[^ ]+', '\1', 'g') ELSE words END,
    ' ', ':1' || weight || ' ') || ':1' || weight AS tsvector) END;
CREATE FUNCTION search_terms(words text, more text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN search_lexemes(words, 'A') || search_lexemes(more, 'B');

-- The mark of the application and the version of the schema. One row.
CREATE TABLE kontor_schema (
  id bigint PRIMARY KEY CHECK (id = 1),
  application text COLLATE "C" NOT NULL CHECK (application = 'kontor'),
  version bigint NOT NULL CHECK (version > 0)
);

-- The row that each writing transaction locks first, so that writes run one after the other. writer is a number of the
-- connection that wrote last: another one then knows that it must read again what it has cached. One row.
CREATE TABLE write_lock (
  id bigint PRIMARY KEY CHECK (id = 1),
  writer bigint NOT NULL
);
INSERT INTO write_lock (id, writer) VALUES (1, 0);

-- The current database schema of Kontor. src/core/engine/schema/migrations.ts migrates older files to it.
--
-- Prices, quantities and percentages are whole numbers of 1/10000. Amounts of money are whole numbers of the
-- currency's minor unit. Timestamps are UTC text with milliseconds. A column x_sort holds x without case and accents,
-- for sorting. A column x_key holds x in lower case, for uniqueness. An enum with three or more values is checked with
-- a chain of comparisons, because IN would build a table of the values for every row that is written. A column
-- change_count counts the changes of computed figures, such as stock; version counts the edits.

-- The server's secrets, which sign tokens and cursors, and the digest of the setup link. Backups do not contain them.
CREATE TABLE secrets (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

-- The time of the last check that the file can be written. One row.
CREATE TABLE write_probe (
  id bigint PRIMARY KEY CHECK (id = 1),
  at text COLLATE "C" NOT NULL
);

-- The first and the last number used in each series, such as CUST or INV-2026. A series without a number yet has a
-- last that is one less than its first.
CREATE TABLE number_series (
  name text COLLATE "C" PRIMARY KEY,
  last bigint NOT NULL,
  first bigint NOT NULL DEFAULT 1
);

-- How far each repeated task has come, such as marking invoices that became overdue.
CREATE TABLE positions (
  name text COLLATE "C" PRIMARY KEY,
  position text COLLATE "C" NOT NULL
);

-- Records whose text is not in the search tables yet, in the order of the commits. It is written a moment later, and
-- before a search. source is a table, and record is its seq.
CREATE TABLE search_waiting (
  position bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  source text COLLATE "C" NOT NULL,
  record bigint NOT NULL
);

-- What happened to records, in the order of the commits, for other programs. The newest row is never deleted, so that
-- no number is used again. changed has the names of the fields that an update changed.
CREATE TABLE events (
  seq bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  version bigint,
  changed text COLLATE "C" NOT NULL CHECK (json_valid(changed)),
  created_at text COLLATE "C" NOT NULL
);

-- Where events are sent to by HTTP.
CREATE TABLE webhooks (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  url text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  description_sort text COLLATE "C",
  types text COLLATE "C" NOT NULL CHECK (json_valid(types)),
  payload text COLLATE "C" NOT NULL CHECK (payload = 'thin' OR payload = 'full'),
  is_active bigint NOT NULL CHECK (is_active = 0 OR is_active = 1),
  disabled_reason text COLLATE "C" CHECK (
    disabled_reason = 'gone' OR disabled_reason = 'failing' OR disabled_reason = 'restored'
  ),
  disabled_at text COLLATE "C",
  failing_since text COLLATE "C",
  last_success_at text COLLATE "C",
  created_by text COLLATE "C",
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  owner text COLLATE "C"
);

-- The number of the last event that was sent to a webhook for the first time.
CREATE TABLE webhook_positions (
  webhook text COLLATE "C" PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  position bigint NOT NULL
);

-- The secret that signs the requests of a webhook, and the one before it for a while. Backups do not contain it.
CREATE TABLE webhook_secrets (
  webhook text COLLATE "C" PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  secret text COLLATE "C" NOT NULL,
  previous text COLLATE "C",
  previous_until text COLLATE "C"
);

-- The events that were sent to webhooks: those that are sent again later, and the last ones of each webhook.
CREATE TABLE webhook_deliveries (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  webhook text COLLATE "C" NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (
    status = 'succeeded' OR status = 'pending' OR status = 'failed' OR status = 'uncertain'
  ),
  attempts bigint NOT NULL,
  next_attempt_at text COLLATE "C" CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending')),
  request text COLLATE "C" NOT NULL,
  response_status bigint,
  response text COLLATE "C",
  error text COLLATE "C",
  duration_ms bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  request_headers text COLLATE "C" CHECK (json_valid(request_headers)),
  error_code text COLLATE "C",
  error_params text COLLATE "C" CHECK (json_valid(error_params))
);
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook, created_at, id);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (webhook, seq) WHERE next_attempt_at IS NULL;

-- The feed that webhooks send. A restored file has another feed, and sends nothing until an admin resumes it.
CREATE TABLE webhook_sending (
  "only" bigint PRIMARY KEY CHECK ("only" = 1),
  feed text COLLATE "C" NOT NULL,
  is_paused bigint NOT NULL CHECK (is_paused = 0 OR is_paused = 1)
);

-- Work in the background that goes on after a restart, such as an import. A server that runs a job holds its lease and
-- renews it with every slice. input is the request, state is how far the job has come, and output is its result.
CREATE TABLE jobs (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  unique_key text COLLATE "C" UNIQUE,
  status text COLLATE "C" NOT NULL CHECK (
    status = 'queued' OR status = 'checking' OR status = 'applying' OR status = 'finished' OR status = 'failed'
  ),
  caller text COLLATE "C" NOT NULL CHECK (json_valid(caller)),
  input text COLLATE "C" NOT NULL CHECK (json_valid(input)),
  state text COLLATE "C" NOT NULL CHECK (json_valid(state)),
  output text COLLATE "C" NOT NULL CHECK (json_valid(output)),
  error text COLLATE "C" CHECK (json_valid(error)),
  progress bigint NOT NULL CHECK (progress BETWEEN 0 AND 100),
  attempts bigint NOT NULL,
  run_at text COLLATE "C" NOT NULL,
  lease text COLLATE "C",
  leased_until text COLLATE "C",
  created_by text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  started_at text COLLATE "C",
  finished_at text COLLATE "C"
);
CREATE INDEX jobs_unfinished ON jobs (run_at, seq) WHERE finished_at IS NULL;
CREATE INDEX jobs_finished_at ON jobs (finished_at) WHERE finished_at IS NOT NULL;

-- The file of an import, in pieces, until the import has ended. Backups do not contain it.
CREATE TABLE uploads (
  job text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (job, position)
);

-- The faults that a job found: one row for each slice of the job, with the faults of some records as JSON, in gzip and
-- Base64.
CREATE TABLE job_faults (
  seq bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  job text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  faults text COLLATE "C" NOT NULL CHECK (json_valid(faults))
);
CREATE INDEX job_faults_job ON job_faults (job, seq);

-- The records that a job changes, and their new values, computed once before the first is changed.
CREATE TABLE job_targets (
  job text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  record text COLLATE "C" NOT NULL,
  change text COLLATE "C" NOT NULL CHECK (json_valid(change)),
  PRIMARY KEY (job, position)
);

-- The people who sign in.
CREATE TABLE users (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  email text COLLATE "C" NOT NULL,
  email_key text COLLATE "C" NOT NULL UNIQUE,
  email_sort text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  name_sort text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (
    role = 'viewer' OR role = 'sales' OR role = 'shop' OR role = 'accountant' OR role = 'manager' OR role = 'admin'
  ),
  plan text COLLATE "C" CHECK (plan = 'free' OR plan = 'pro' OR plan = 'enterprise'),
  is_active bigint NOT NULL CHECK (is_active IN (0, 1)),
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);

-- The password of each user, as an argon2id hash. A separate table, so that no query of users can return it.
CREATE TABLE passwords (
  "user" text COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hash text COLLATE "C" NOT NULL,
  changed_at text COLLATE "C" NOT NULL
);

-- A sign-in of a user, until it is signed out, idle for too long or too old. With a grant, it is the session of a
-- connected app that acts for the user within these scopes.
CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  "user" text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at text COLLATE "C" NOT NULL,
  last_used_at text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C",
  scopes text COLLATE "C" CHECK (json_valid(scopes))
);
CREATE INDEX sessions_user ON sessions ("user");
CREATE INDEX sessions_grant ON sessions (grant_id) WHERE grant_id IS NOT NULL;

-- All refresh tokens of a session, as digests. Only the newest token is valid. Using a token long after it was replaced
-- ends the session, because then two parties have its tokens.
CREATE TABLE refresh_tokens (
  digest text COLLATE "C" PRIMARY KEY,
  session text COLLATE "C" NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  replaced_at text COLLATE "C"
);
CREATE INDEX refresh_tokens_session ON refresh_tokens (session);

-- The networks from which each user signed in recently: an IPv4 address or an IPv6 /64. From these networks the user
-- can sign in without a wait, even after many failed sign-ins from other networks.
CREATE TABLE sign_in_places (
  "user" text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network text COLLATE "C" NOT NULL,
  last_at text COLLATE "C" NOT NULL,
  PRIMARY KEY ("user", network)
);

-- The failed sign-ins of servers that share a PostgreSQL database: counters by email and network ('near'), and by email or
-- site ('wide'). Times are milliseconds since 1970. The server of a file counts in memory, and this table stays empty.
CREATE TABLE sign_in_tries (
  scope text COLLATE "C" NOT NULL CHECK (scope IN ('near', 'wide')),
  key text COLLATE "C" NOT NULL,
  failures bigint NOT NULL,
  waits bigint NOT NULL,
  blocked_until bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX sign_in_tries_last_at ON sign_in_tries (last_at);

-- The API keys that programs use. Each acts for its owner within its scopes.
CREATE TABLE api_keys (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  "user" text COLLATE "C" NOT NULL REFERENCES users (id),
  name text COLLATE "C" NOT NULL,
  name_sort text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  scopes text COLLATE "C" NOT NULL CHECK (json_valid(scopes)),
  expires_at text COLLATE "C",
  allowed_ips text COLLATE "C" NOT NULL CHECK (json_valid(allowed_ips)),
  plan text COLLATE "C" CHECK (plan = 'free' OR plan = 'pro' OR plan = 'enterprise'),
  last_used_at text COLLATE "C",
  last_used_ip text COLLATE "C",
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);
CREATE INDEX api_keys_user ON api_keys ("user");

-- The SHA-256 digest of each API key, which identifies the key. In a separate table, so that no query of keys returns
-- it.
CREATE TABLE api_key_digests (
  digest text COLLATE "C" PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE REFERENCES api_keys (id) ON DELETE CASCADE
);

-- The registered OAuth clients. They can ask users for permission to act for them.
CREATE TABLE oauth_clients (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  name_sort text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL CHECK (type IN ('confidential', 'public')),
  redirect_uris text COLLATE "C" NOT NULL CHECK (json_valid(redirect_uris)),
  scopes text COLLATE "C" NOT NULL CHECK (json_valid(scopes)),
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);

-- The SHA-256 digest of a confidential client's secret. In a separate table, so that no query of clients returns it.
CREATE TABLE oauth_client_digests (
  client text COLLATE "C" PRIMARY KEY REFERENCES oauth_clients (id) ON DELETE CASCADE,
  digest text COLLATE "C" NOT NULL
);

-- The consent of a user: this OAuth client may act for the user within these scopes.
CREATE TABLE oauth_grants (
  id text COLLATE "C" PRIMARY KEY,
  "user" text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client text COLLATE "C" NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
  scopes text COLLATE "C" NOT NULL CHECK (json_valid(scopes)),
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  UNIQUE ("user", client)
);
CREATE INDEX oauth_grants_client ON oauth_grants (client);

-- Authorization codes, as digests. A code is valid once and for one minute. A used code names the session it was
-- exchanged for, so that a second use ends that session.
CREATE TABLE oauth_codes (
  digest text COLLATE "C" PRIMARY KEY,
  grant_id text COLLATE "C" NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  redirect_uri text COLLATE "C" NOT NULL,
  challenge text COLLATE "C" NOT NULL,
  scopes text COLLATE "C" NOT NULL CHECK (json_valid(scopes)),
  created_at text COLLATE "C" NOT NULL,
  session text COLLATE "C"
);
CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id);

-- The settings of the instance, as one JSON object. Missing settings have their defaults. One row, after the first
-- update.
CREATE TABLE settings (
  id bigint PRIMARY KEY CHECK (id = 1),
  body text COLLATE "C" NOT NULL CHECK (json_valid(body)),
  version bigint NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);

-- The logos of the company. A logo is kept while a document that was issued with it may be printed. The hash is the
-- SHA-256 of the bytes.
CREATE TABLE logos (
  hash text COLLATE "C" PRIMARY KEY,
  type text COLLATE "C" NOT NULL CHECK (type IN ('image/png', 'image/jpeg')),
  bytes bytea NOT NULL
);

-- The data of the company that issued documents, as it was at issue. Many documents share one row. The id is the
-- SHA-256 of the body.
CREATE TABLE seller_versions (
  id text COLLATE "C" PRIMARY KEY,
  body text COLLATE "C" NOT NULL CHECK (json_valid(body))
);

-- The forms of issued documents that are kept: XML as gzip, and one PDF per language. The hash is that of the form
-- itself, and also in the audit log. A document is an invoice or a credit note.
CREATE TABLE papers (
  seq bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  document text COLLATE "C" NOT NULL,
  form text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  is_packed bigint NOT NULL CHECK (is_packed IN (0, 1)),
  has_missing_glyphs bigint NOT NULL CHECK (has_missing_glyphs IN (0, 1)),
  created_at text COLLATE "C" NOT NULL,
  UNIQUE (document, form)
);

-- What an issued document prints that can change after its issue, or that depends on the settings.
CREATE TABLE paper_values (
  document text COLLATE "C" PRIMARY KEY,
  notes text COLLATE "C",
  due_date text COLLATE "C",
  unit_codes text COLLATE "C" NOT NULL CHECK (json_valid(unit_codes))
);

-- The number of requests of each caller on a UTC day, so that a restart does not reset the limit per day.
CREATE TABLE rate_days (
  subject text COLLATE "C" PRIMARY KEY,
  day text COLLATE "C" NOT NULL,
  count bigint NOT NULL
);

-- The responses to POST requests with an Idempotency-Key, stored for a day. They do not contain secrets.
CREATE TABLE idempotency_keys (
  caller text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  status bigint NOT NULL,
  headers text COLLATE "C" NOT NULL CHECK (json_valid(headers)),
  body text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

-- The audit log, in the order of the commits. Each hash covers the row and the previous hash.
CREATE TABLE audit_logs (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  request_id text COLLATE "C",
  actor_type text COLLATE "C" NOT NULL CHECK (
    actor_type = 'user' OR actor_type = 'apiKey' OR actor_type = 'oauthClient'
      OR actor_type = 'anonymous' OR actor_type = 'system'
  ),
  actor text COLLATE "C",
  actor_name text COLLATE "C",
  action text COLLATE "C" NOT NULL,
  kind text COLLATE "C",
  record_id text COLLATE "C",
  ip text COLLATE "C",
  user_agent text COLLATE "C",
  outcome text COLLATE "C" NOT NULL CHECK (outcome = 'success' OR outcome = 'failure' OR outcome = 'refused'),
  changes text COLLATE "C" NOT NULL CHECK (json_valid(changes)),
  hash text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL
);
CREATE INDEX audit_logs_record ON audit_logs (record_id, created_at);
CREATE INDEX audit_logs_actor ON audit_logs (actor, created_at);
CREATE INDEX audit_logs_created_at ON audit_logs (created_at);
CREATE FUNCTION audit_logs_no_replace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM audit_logs WHERE seq = NEW.seq)
    OR EXISTS (SELECT 1 FROM audit_logs WHERE id = NEW.id) THEN
    RAISE EXCEPTION USING MESSAGE = 'the audit log only grows', ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER audit_logs_no_replace BEFORE INSERT ON audit_logs FOR EACH ROW EXECUTE FUNCTION audit_logs_no_replace();
CREATE FUNCTION audit_logs_no_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING MESSAGE = 'the audit log only grows', ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER audit_logs_no_update BEFORE UPDATE ON audit_logs FOR EACH ROW EXECUTE FUNCTION audit_logs_no_update();
CREATE FUNCTION audit_logs_no_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING MESSAGE = 'the audit log only grows', ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER audit_logs_no_delete BEFORE DELETE ON audit_logs FOR EACH ROW EXECUTE FUNCTION audit_logs_no_delete();
CREATE TRIGGER audit_logs_no_delete_at_once BEFORE TRUNCATE ON audit_logs FOR EACH STATEMENT EXECUTE FUNCTION audit_logs_no_delete();

-- The tax codes that items and document lines name: a category of EN 16931, a rate and the reason of an exemption.
-- Category and rate do not change after an item, a setting or a line has named the code.
CREATE TABLE tax_codes (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  code text COLLATE "C" NOT NULL,
  code_key text COLLATE "C" NOT NULL UNIQUE,
  code_sort text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  name_sort text COLLATE "C" NOT NULL,
  category text COLLATE "C" NOT NULL CHECK (
    category = 'S' OR category = 'Z' OR category = 'E' OR category = 'AE' OR category = 'K' OR category = 'G'
      OR category = 'O'
  ),
  rate bigint NOT NULL CHECK (CASE category WHEN 'S' THEN rate > 0 ELSE rate = 0 END),
  reason text COLLATE "C",
  is_active bigint NOT NULL CHECK (is_active IN (0, 1)),
  is_used bigint NOT NULL CHECK (is_used IN (0, 1)),
  change_count bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);

-- The items that are bought and sold. Current stock is the sum of the stock movements. Submitted orders reserve stock.
CREATE TABLE items (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  item_code text COLLATE "C" NOT NULL,
  item_code_key text COLLATE "C" NOT NULL UNIQUE,
  item_code_sort text COLLATE "C" NOT NULL,
  item_name text COLLATE "C" NOT NULL,
  item_name_sort text COLLATE "C" NOT NULL,
  category text COLLATE "C",
  category_sort text COLLATE "C",
  item_type text COLLATE "C" NOT NULL CHECK (item_type = 'Product' OR item_type = 'Service' OR item_type = 'Consumable'),
  uom text COLLATE "C" NOT NULL,
  uom_sort text COLLATE "C" NOT NULL,
  selling_price bigint NOT NULL CHECK (selling_price >= 0),
  cost_price bigint NOT NULL CHECK (cost_price >= 0),
  tax_rate bigint NOT NULL CHECK (tax_rate >= 0),
  tax_code text COLLATE "C" REFERENCES tax_codes (id),
  current_stock bigint NOT NULL DEFAULT 0,
  reserved_stock bigint NOT NULL DEFAULT 0,
  reorder_level bigint NOT NULL,
  reorder_qty bigint NOT NULL,
  description text COLLATE "C",
  images text COLLATE "C" NOT NULL CHECK (json_valid(images)),
  is_active bigint NOT NULL CHECK (is_active IN (0, 1)),
  external_id text COLLATE "C",
  metadata text COLLATE "C" NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);
CREATE INDEX items_created_at ON items (created_at, id);
CREATE INDEX items_updated_at ON items (updated_at, id);
CREATE UNIQUE INDEX items_external_id ON items (external_id);
CREATE INDEX items_item_name ON items (item_name_sort, id);
CREATE INDEX items_category ON items (category, created_at, id);
CREATE INDEX items_tax_code ON items (tax_code) WHERE tax_code IS NOT NULL;

-- The trigrams of items, for the search in lists; fragments are for the global search. Updated a moment after a commit; rowid
-- is items.seq.
CREATE TABLE items_search (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  fragments text COLLATE "C" NOT NULL
);
CREATE INDEX items_search_words ON items_search USING gin (words gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX items_search_fragments ON items_search USING gin (fragments gin_trgm_ops) WITH (gin_pending_list_limit = 256);

-- The words of items, with additional fields, for the global search; rowid is items.seq.
CREATE TABLE items_words (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  more text COLLATE "C" NOT NULL,
  terms tsvector NOT NULL GENERATED ALWAYS AS (search_terms(words, more)) STORED
);
CREATE INDEX items_words_terms ON items_words USING gin (terms) WITH (gin_pending_list_limit = 256);

-- The customers. Outstanding balance and open orders value are computed from the documents.
CREATE TABLE customers (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  customer_number text COLLATE "C" NOT NULL UNIQUE,
  name text COLLATE "C" NOT NULL,
  name_sort text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  email_sort text COLLATE "C",
  phone text COLLATE "C",
  phone_sort text COLLATE "C",
  type text COLLATE "C" NOT NULL,
  type_sort text COLLATE "C" NOT NULL,
  contact_name text COLLATE "C",
  contact_name_sort text COLLATE "C",
  address text COLLATE "C" CHECK (json_valid(address)),
  shipping_address text COLLATE "C" CHECK (json_valid(shipping_address)),
  language text COLLATE "C" CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  credit_limit bigint CHECK (credit_limit >= 0),
  payment_terms text COLLATE "C",
  payment_terms_sort text COLLATE "C",
  tax_id text COLLATE "C",
  tax_id_sort text COLLATE "C",
  tax_treatment text COLLATE "C" NOT NULL DEFAULT 'domestic' CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  tax_reason text COLLATE "C",
  notes text COLLATE "C",
  outstanding_balance bigint NOT NULL DEFAULT 0,
  credit_balance bigint NOT NULL DEFAULT 0,
  open_orders_value bigint NOT NULL DEFAULT 0,
  is_active bigint NOT NULL CHECK (is_active IN (0, 1)),
  external_id text COLLATE "C",
  metadata text COLLATE "C" NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);
CREATE INDEX customers_created_at ON customers (created_at, id);
CREATE INDEX customers_updated_at ON customers (updated_at, id);
CREATE UNIQUE INDEX customers_external_id ON customers (external_id);
CREATE INDEX customers_name ON customers (name_sort, id);

-- The trigrams of customers, for the search in lists; rowid is customers.seq.
CREATE TABLE customers_search (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  fragments text COLLATE "C" NOT NULL
);
CREATE INDEX customers_search_words ON customers_search USING gin (words gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX customers_search_fragments ON customers_search USING gin (fragments gin_trgm_ops) WITH (gin_pending_list_limit = 256);

-- The words of customers, with additional fields, for the global search; rowid is customers.seq.
CREATE TABLE customers_words (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  more text COLLATE "C" NOT NULL,
  terms tsvector NOT NULL GENERATED ALWAYS AS (search_terms(words, more)) STORED
);
CREATE INDEX customers_words_terms ON customers_words USING gin (terms) WITH (gin_pending_list_limit = 256);

-- All stock movements of the items. Rows are only inserted; items.current_stock is their sum.
CREATE TABLE stock_movements (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  item text COLLATE "C" NOT NULL REFERENCES items (id),
  quantity bigint NOT NULL CHECK (quantity <> 0),
  reason text COLLATE "C" NOT NULL CHECK (
    reason = 'receipt' OR reason = 'adjustment' OR reason = 'return' OR reason = 'invoice' OR reason = 'cancellation'
      OR reason = 'credit'
  ),
  note text COLLATE "C",
  balance_after bigint NOT NULL,
  source_type text COLLATE "C",
  source_id text COLLATE "C",
  created_by text COLLATE "C",
  created_at text COLLATE "C" NOT NULL
);
CREATE INDEX stock_movements_item ON stock_movements (item, created_at, id);
CREATE INDEX stock_movements_created_at ON stock_movements (created_at, id);

-- The sales orders. Customer name and payment terms are copied when the order is created. taxes is a list of category,
-- rate, base, tax and reason; in it, base and tax are in the minor unit. tax_treatment is the customer's, by which the
-- lines were taxed.
CREATE TABLE sales_orders (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  order_number text COLLATE "C" NOT NULL UNIQUE,
  number_series text COLLATE "C" NOT NULL DEFAULT '',
  number_counter bigint NOT NULL DEFAULT 0,
  customer text COLLATE "C" NOT NULL REFERENCES customers (id),
  customer_name text COLLATE "C" NOT NULL,
  order_date text COLLATE "C" NOT NULL,
  delivery_date text COLLATE "C",
  status text COLLATE "C" NOT NULL CHECK (
    status = 'draft' OR status = 'submitted' OR status = 'completed' OR status = 'cancelled'
  ),
  invoice_status text COLLATE "C" NOT NULL CHECK (
    invoice_status = 'not_invoiced' OR invoice_status = 'partially_invoiced' OR invoice_status = 'invoiced'
  ),
  payment_terms text COLLATE "C",
  payment_terms_sort text COLLATE "C",
  buyer_reference text COLLATE "C",
  buyer_reference_sort text COLLATE "C",
  shipping_address text COLLATE "C" CHECK (json_valid(shipping_address)),
  notes text COLLATE "C",
  currency text COLLATE "C" NOT NULL,
  prices_include_tax bigint NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1)),
  tax_treatment text COLLATE "C" NOT NULL DEFAULT 'domestic' CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  taxes text COLLATE "C" NOT NULL DEFAULT '[]' CHECK (json_valid(taxes)),
  subtotal bigint NOT NULL,
  discount_total bigint NOT NULL,
  tax_total bigint NOT NULL,
  total bigint NOT NULL CHECK (total = subtotal + tax_total),
  invoiced_total bigint NOT NULL,
  submitted_at text COLLATE "C",
  completed_at text COLLATE "C",
  cancelled_at text COLLATE "C",
  cancel_reason text COLLATE "C",
  amended_from text COLLATE "C" REFERENCES sales_orders (id) ON DELETE SET NULL,
  created_by text COLLATE "C",
  external_id text COLLATE "C",
  metadata text COLLATE "C" NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);
CREATE INDEX sales_orders_created_at ON sales_orders (created_at, id);
CREATE INDEX sales_orders_updated_at ON sales_orders (updated_at, id);
CREATE UNIQUE INDEX sales_orders_external_id ON sales_orders (external_id);
CREATE INDEX sales_orders_order_date ON sales_orders (order_date, id);
CREATE INDEX sales_orders_customer ON sales_orders (customer, created_at, id);
CREATE INDEX sales_orders_status ON sales_orders (status, created_at, id);
CREATE INDEX sales_orders_total ON sales_orders (total);
CREATE INDEX sales_orders_amended_from ON sales_orders (amended_from) WHERE amended_from IS NOT NULL;

-- The lines of a sales order, with a copy of the item's data. A line without an item has a description. In a document
-- whose prices include tax, rate and discount_amount include tax, and gross_amount is the amount with tax; amount never
-- includes tax. is_discount_amount is 1 when the discount was given as an amount, and has_own_tax_code when the line
-- itself was given a tax code.
CREATE TABLE sales_order_lines (
  id text COLLATE "C" PRIMARY KEY,
  sales_order text COLLATE "C" NOT NULL REFERENCES sales_orders (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  item text COLLATE "C" REFERENCES items (id),
  item_code text COLLATE "C" CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name text COLLATE "C" CHECK ((item IS NULL) = (item_name IS NULL)),
  description text COLLATE "C" CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom text COLLATE "C" NOT NULL,
  quantity bigint NOT NULL CHECK (quantity > 0),
  rate bigint NOT NULL CHECK (rate >= 0),
  discount bigint NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount bigint NOT NULL,
  discount_amount bigint NOT NULL,
  gross_amount bigint,
  tax_code text COLLATE "C",
  tax_category text COLLATE "C",
  tax_rate bigint NOT NULL,
  is_discount_amount bigint NOT NULL CHECK (is_discount_amount IN (0, 1)),
  has_own_tax_code bigint NOT NULL CHECK (has_own_tax_code IN (0, 1)),
  invoiced_quantity bigint NOT NULL CHECK (invoiced_quantity BETWEEN 0 AND quantity),
  returned_quantity bigint NOT NULL DEFAULT 0
);
CREATE INDEX sales_order_lines_order ON sales_order_lines (sales_order, position);
CREATE INDEX sales_order_lines_item ON sales_order_lines (item);

-- The trigrams of orders, for the search in lists; rowid is sales_orders.seq.
CREATE TABLE sales_orders_search (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  fragments text COLLATE "C" NOT NULL
);
CREATE INDEX sales_orders_search_words ON sales_orders_search USING gin (words gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX sales_orders_search_fragments ON sales_orders_search USING gin (fragments gin_trgm_ops) WITH (gin_pending_list_limit = 256);

-- The words of orders, with additional fields, for the global search; rowid is sales_orders.seq.
CREATE TABLE sales_orders_words (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  more text COLLATE "C" NOT NULL,
  terms tsvector NOT NULL GENERATED ALWAYS AS (search_terms(words, more)) STORED
);
CREATE INDEX sales_orders_words_terms ON sales_orders_words USING gin (terms) WITH (gin_pending_list_limit = 256);

-- The invoices. An invoice gets its number when it is issued. Numbers have no gaps and are never reused. At issue it
-- also gets the data of the company and of the customer, which do not change afterwards. The parts of an order add up
-- per category and rate of taxes. An opening invoice was issued by another system, and was not paid when the business
-- moved here: it has the number of that system, no series, and one line with what was left to pay. opening_key is
-- its number in lower case.
CREATE TABLE invoices (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  invoice_number text COLLATE "C" UNIQUE,
  number_series text COLLATE "C",
  number_counter bigint,
  status text COLLATE "C" NOT NULL CHECK (
    status = 'draft' OR status = 'unpaid' OR status = 'partially_paid' OR status = 'paid' OR status = 'credited'
      OR status = 'cancelled'
  ),
  sales_order text COLLATE "C" REFERENCES sales_orders (id),
  order_number text COLLATE "C",
  customer text COLLATE "C" NOT NULL REFERENCES customers (id),
  customer_name text COLLATE "C" NOT NULL,
  billing_address text COLLATE "C" CHECK (json_valid(billing_address)),
  tax_id text COLLATE "C",
  seller_version text COLLATE "C" REFERENCES seller_versions (id),
  buyer text COLLATE "C" CHECK (json_valid(buyer)),
  language text COLLATE "C" CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  invoice_date text COLLATE "C" NOT NULL,
  supply_date text COLLATE "C" NOT NULL DEFAULT '',
  due_date text COLLATE "C" NOT NULL,
  payment_terms text COLLATE "C",
  payment_terms_sort text COLLATE "C",
  buyer_reference text COLLATE "C",
  buyer_reference_sort text COLLATE "C",
  shipping_address text COLLATE "C" CHECK (json_valid(shipping_address)),
  notes text COLLATE "C",
  currency text COLLATE "C" NOT NULL,
  prices_include_tax bigint NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1)),
  tax_treatment text COLLATE "C" NOT NULL DEFAULT 'domestic' CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  taxes text COLLATE "C" NOT NULL DEFAULT '[]' CHECK (json_valid(taxes)),
  subtotal bigint NOT NULL,
  discount_total bigint NOT NULL,
  tax_total bigint NOT NULL,
  total bigint NOT NULL CHECK (total = subtotal + tax_total),
  amount_paid bigint NOT NULL CHECK (amount_paid >= 0),
  credited_total bigint NOT NULL DEFAULT 0 CHECK (credited_total BETWEEN 0 AND total),
  credit_taken bigint NOT NULL DEFAULT 0 CHECK (credit_taken BETWEEN 0 AND credited_total),
  credit_applied bigint NOT NULL DEFAULT 0 CHECK (credit_applied >= 0),
  balance bigint NOT NULL CHECK (balance >= 0),
  issued_at text COLLATE "C",
  paid_at text COLLATE "C",
  cancelled_at text COLLATE "C",
  cancel_reason text COLLATE "C",
  is_opening bigint NOT NULL DEFAULT 0 CHECK (is_opening IN (0, 1)),
  opening_key text COLLATE "C",
  created_by text COLLATE "C",
  external_id text COLLATE "C",
  metadata text COLLATE "C" NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  change_count bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);
CREATE INDEX invoices_created_at ON invoices (created_at, id);
CREATE INDEX invoices_updated_at ON invoices (updated_at, id);
CREATE UNIQUE INDEX invoices_external_id ON invoices (external_id);
CREATE INDEX invoices_invoice_date ON invoices (invoice_date, id);
CREATE INDEX invoices_customer ON invoices (customer, created_at, id);
CREATE INDEX invoices_status ON invoices (status, created_at, id);
CREATE INDEX invoices_due_date ON invoices (due_date, id) WHERE status = 'unpaid' OR status = 'partially_paid';
CREATE INDEX invoices_open ON invoices (customer, due_date) WHERE balance > 0;
CREATE INDEX invoices_total ON invoices (total);
CREATE INDEX invoices_balance ON invoices (balance) WHERE status = 'partially_paid';
CREATE INDEX invoices_sales_order ON invoices (sales_order) WHERE sales_order IS NOT NULL;
CREATE INDEX invoices_opening_number ON invoices (lower(invoice_number)) WHERE is_opening = 1;
CREATE UNIQUE INDEX invoices_opening_key ON invoices (opening_key) WHERE opening_key IS NOT NULL;

-- The lines of an invoice. A line created from a sales order refers to the order's line.
CREATE TABLE invoice_lines (
  id text COLLATE "C" PRIMARY KEY,
  invoice text COLLATE "C" NOT NULL REFERENCES invoices (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  order_line text COLLATE "C" REFERENCES sales_order_lines (id),
  item text COLLATE "C" REFERENCES items (id),
  item_code text COLLATE "C" CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name text COLLATE "C" CHECK ((item IS NULL) = (item_name IS NULL)),
  description text COLLATE "C" CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom text COLLATE "C" NOT NULL,
  quantity bigint NOT NULL CHECK (quantity > 0),
  rate bigint NOT NULL CHECK (rate >= 0),
  discount bigint NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount bigint NOT NULL,
  discount_amount bigint NOT NULL,
  gross_amount bigint,
  tax_code text COLLATE "C",
  tax_category text COLLATE "C",
  tax_rate bigint NOT NULL,
  is_discount_amount bigint NOT NULL CHECK (is_discount_amount IN (0, 1)),
  has_own_tax_code bigint NOT NULL CHECK (has_own_tax_code IN (0, 1)),
  credited_quantity bigint NOT NULL DEFAULT 0,
  credited_amount bigint NOT NULL DEFAULT 0
);
CREATE INDEX invoice_lines_invoice ON invoice_lines (invoice, position);
CREATE INDEX invoice_lines_item ON invoice_lines (item);
CREATE INDEX invoice_lines_order_line ON invoice_lines (order_line) WHERE order_line IS NOT NULL;

-- The trigrams of invoices, for the search in lists; rowid is invoices.seq.
CREATE TABLE invoices_search (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  fragments text COLLATE "C" NOT NULL
);
CREATE INDEX invoices_search_words ON invoices_search USING gin (words gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX invoices_search_fragments ON invoices_search USING gin (fragments gin_trgm_ops) WITH (gin_pending_list_limit = 256);

-- The words of invoices, with additional fields, for the global search; rowid is invoices.seq.
CREATE TABLE invoices_words (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  more text COLLATE "C" NOT NULL,
  terms tsvector NOT NULL GENERATED ALWAYS AS (search_terms(words, more)) STORED
);
CREATE INDEX invoices_words_terms ON invoices_words USING gin (terms) WITH (gin_pending_list_limit = 256);

-- The credit notes of invoices. They keep the company, the customer and the tax of their invoice. applied_to_invoice is
-- the part that lowered the balance of the invoice when the credit note was issued; what is left can be applied to other
-- invoices or refunded. is_cancellation is 1 when cancelling the invoice wrote it.
CREATE TABLE credit_notes (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  credit_note_number text COLLATE "C" NOT NULL UNIQUE,
  number_series text COLLATE "C" NOT NULL,
  number_counter bigint NOT NULL,
  invoice text COLLATE "C" NOT NULL REFERENCES invoices (id),
  invoice_number text COLLATE "C" NOT NULL,
  customer text COLLATE "C" NOT NULL REFERENCES customers (id),
  customer_name text COLLATE "C" NOT NULL,
  billing_address text COLLATE "C" CHECK (json_valid(billing_address)),
  tax_id text COLLATE "C",
  seller_version text COLLATE "C" NOT NULL REFERENCES seller_versions (id),
  buyer text COLLATE "C" NOT NULL CHECK (json_valid(buyer)),
  language text COLLATE "C" NOT NULL CHECK (language = 'en' OR language = 'de' OR language = 'fr'),
  credit_note_date text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  restock bigint NOT NULL CHECK (restock IN (0, 1)),
  is_cancellation bigint NOT NULL CHECK (is_cancellation IN (0, 1)),
  buyer_reference text COLLATE "C",
  shipping_address text COLLATE "C" CHECK (json_valid(shipping_address)),
  notes text COLLATE "C",
  currency text COLLATE "C" NOT NULL,
  prices_include_tax bigint NOT NULL CHECK (prices_include_tax IN (0, 1)),
  tax_treatment text COLLATE "C" NOT NULL CHECK (
    tax_treatment = 'domestic' OR tax_treatment = 'reverse-charge' OR tax_treatment = 'intra-community'
      OR tax_treatment = 'export' OR tax_treatment = 'exempt'
  ),
  taxes text COLLATE "C" NOT NULL CHECK (json_valid(taxes)),
  subtotal bigint NOT NULL,
  discount_total bigint NOT NULL,
  tax_total bigint NOT NULL,
  total bigint NOT NULL CHECK (total = subtotal + tax_total AND total >= 0),
  applied_to_invoice bigint NOT NULL CHECK (applied_to_invoice BETWEEN 0 AND total),
  applied bigint NOT NULL CHECK (applied >= 0),
  refunded bigint NOT NULL CHECK (refunded >= 0),
  unapplied bigint NOT NULL CHECK (
    unapplied >= 0 AND unapplied = total - applied_to_invoice - applied - refunded
  ),
  created_by text COLLATE "C",
  external_id text COLLATE "C",
  metadata text COLLATE "C" NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);
CREATE INDEX credit_notes_created_at ON credit_notes (created_at, id);
CREATE INDEX credit_notes_updated_at ON credit_notes (updated_at, id);
CREATE UNIQUE INDEX credit_notes_external_id ON credit_notes (external_id);
CREATE INDEX credit_notes_credit_note_date ON credit_notes (credit_note_date, id);
CREATE INDEX credit_notes_customer ON credit_notes (customer, created_at, id);
CREATE INDEX credit_notes_invoice ON credit_notes (invoice, created_at, id);
CREATE INDEX credit_notes_total ON credit_notes (total);

-- The lines of a credit note: a quantity of an invoice's line or, if is_amount is 1, an amount.
CREATE TABLE credit_note_lines (
  id text COLLATE "C" PRIMARY KEY,
  credit_note text COLLATE "C" NOT NULL REFERENCES credit_notes (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  invoice_line text COLLATE "C" NOT NULL REFERENCES invoice_lines (id),
  is_amount bigint NOT NULL CHECK (is_amount IN (0, 1)),
  item text COLLATE "C" REFERENCES items (id),
  item_code text COLLATE "C" CHECK ((item IS NULL) = (item_code IS NULL)),
  item_name text COLLATE "C" CHECK ((item IS NULL) = (item_name IS NULL)),
  description text COLLATE "C" CHECK ((item IS NULL) = (description IS NOT NULL)),
  uom text COLLATE "C" NOT NULL,
  quantity bigint NOT NULL CHECK (quantity > 0),
  rate bigint NOT NULL CHECK (rate >= 0),
  discount bigint NOT NULL CHECK (discount BETWEEN 0 AND 1000000),
  amount bigint NOT NULL,
  discount_amount bigint NOT NULL,
  gross_amount bigint,
  tax_code text COLLATE "C",
  tax_category text COLLATE "C",
  tax_rate bigint NOT NULL,
  is_discount_amount bigint NOT NULL CHECK (is_discount_amount IN (0, 1)),
  has_own_tax_code bigint NOT NULL CHECK (has_own_tax_code IN (0, 1))
);
CREATE INDEX credit_note_lines_credit_note ON credit_note_lines (credit_note, position);
CREATE INDEX credit_note_lines_item ON credit_note_lines (item);
CREATE INDEX credit_note_lines_invoice_line ON credit_note_lines (invoice_line);

-- The trigrams of credit notes, for the search in lists; rowid is credit_notes.seq.
CREATE TABLE credit_notes_search (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  fragments text COLLATE "C" NOT NULL
);
CREATE INDEX credit_notes_search_words ON credit_notes_search USING gin (words gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX credit_notes_search_fragments ON credit_notes_search USING gin (fragments gin_trgm_ops) WITH (gin_pending_list_limit = 256);

-- The words of credit notes, with additional fields, for the global search; rowid is credit_notes.seq.
CREATE TABLE credit_notes_words (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  more text COLLATE "C" NOT NULL,
  terms tsvector NOT NULL GENERATED ALWAYS AS (search_terms(words, more)) STORED
);
CREATE INDEX credit_notes_words_terms ON credit_notes_words USING gin (terms) WITH (gin_pending_list_limit = 256);

-- The payments of customers. invoice is set when all allocations of the payment are to one invoice. A payment is never
-- deleted: voided_at says when it was voided.
CREATE TABLE payments (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  customer text COLLATE "C" NOT NULL REFERENCES customers (id),
  customer_name text COLLATE "C" NOT NULL,
  invoice text COLLATE "C" REFERENCES invoices (id),
  amount bigint NOT NULL CHECK (amount > 0),
  allocated bigint NOT NULL CHECK (allocated >= 0),
  refunded bigint NOT NULL CHECK (refunded >= 0),
  unallocated bigint NOT NULL CHECK (unallocated >= 0 AND unallocated = amount - allocated - refunded),
  payment_date text COLLATE "C" NOT NULL,
  method text COLLATE "C",
  method_sort text COLLATE "C",
  reference text COLLATE "C",
  reference_sort text COLLATE "C",
  external_id text COLLATE "C",
  metadata text COLLATE "C" NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_by text COLLATE "C",
  voided_at text COLLATE "C",
  voided_by text COLLATE "C",
  version bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);
CREATE INDEX payments_created_at ON payments (created_at, id) WHERE voided_at IS NULL;
CREATE INDEX payments_updated_at ON payments (updated_at, id) WHERE voided_at IS NULL;
CREATE INDEX payments_payment_date ON payments (payment_date, id) WHERE voided_at IS NULL;
CREATE INDEX payments_customer ON payments (customer, created_at, id) WHERE voided_at IS NULL;
CREATE INDEX payments_invoice ON payments (invoice, created_at, id) WHERE voided_at IS NULL;
CREATE UNIQUE INDEX payments_external_id ON payments (external_id) WHERE voided_at IS NULL;

-- The payments that are not voided.
CREATE VIEW live_payments AS SELECT * FROM payments WHERE voided_at IS NULL;

-- How payments and credit notes are used. An allocation is the part of a payment that pays an invoice, an application
-- the part of a credit note that does, and a refund is what the customer gets back of either. They are voided, never
-- deleted.
CREATE TABLE settlements (
  seq bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,
  id text COLLATE "C" PRIMARY KEY,
  kind text COLLATE "C" NOT NULL CHECK (kind = 'allocation' OR kind = 'application' OR kind = 'refund'),
  payment text COLLATE "C" REFERENCES payments (id),
  credit_note text COLLATE "C" REFERENCES credit_notes (id) CHECK ((credit_note IS NULL) <> (payment IS NULL)),
  invoice text COLLATE "C" REFERENCES invoices (id) CHECK ((invoice IS NULL) = (kind = 'refund')),
  amount bigint NOT NULL CHECK (amount > 0),
  date text COLLATE "C" NOT NULL,
  method text COLLATE "C",
  reference text COLLATE "C",
  created_by text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  voided_at text COLLATE "C",
  voided_by text COLLATE "C"
);
CREATE INDEX settlements_payment ON settlements (payment, invoice) WHERE payment IS NOT NULL;
CREATE INDEX settlements_credit_note ON settlements (credit_note, id) WHERE credit_note IS NOT NULL;
CREATE INDEX settlements_invoice ON settlements (invoice, id) WHERE invoice IS NOT NULL;

-- What payments pay of an invoice, as the invoice shows them: each payment once, with its id.
CREATE VIEW invoice_payments AS
  SELECT payments.seq, payments.id, first.invoice, payment_date, payments.method, method_sort, payments.reference,
    reference_sort, external_id, metadata, payments.created_by, payments.created_at,
    (SELECT sum(amount) FROM settlements AS part WHERE part.payment = first.payment AND part.invoice = first.invoice
      AND part.voided_at IS NULL) AS amount
  FROM settlements AS first JOIN payments ON payments.id = first.payment
  WHERE first.kind = 'allocation' AND first.voided_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM settlements AS earlier WHERE earlier.payment = first.payment AND earlier.invoice = first.invoice
      AND earlier.voided_at IS NULL AND earlier.id < first.id);

-- The references to tables that are created after the table that has them.
ALTER TABLE sessions ADD FOREIGN KEY (grant_id) REFERENCES oauth_grants (id) ON DELETE CASCADE;
