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
  RETURN regexp_replace(value COLLATE "C", '[/*MARKS*/]+', '', 'g');

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
