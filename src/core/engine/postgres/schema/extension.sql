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
