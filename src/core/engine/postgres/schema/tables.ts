import { Unusable } from "../../../lib/refusal"
import type { Recipe, Schema } from "../../engine"
import { differences, type SchemaObject } from "../../schema/differences"
import type { PostgresDatabase } from "../driver/database"
import { createExtension, translatedSchema, translatedStep } from "./translate"
import { hasCode } from "../driver/errors"
import { quotedName } from "../driver/link"
import { wholeSchema } from "../../schema/migrate"
import { searchSchema, withoutSearch } from "../../schema/search-tables"

/** The key of the lock of a process that changes the schema. */
const schemaLock = 0x4b4e5452

export const postgresTables = (db: PostgresDatabase): Schema => ({
  hasTable: (name) => hasTable(db, name),
  isEmpty: () => isEmpty(db),
  version: () => versionOf(db),
  migrate: (recipe, onCreate) => migratePostgres(db, recipe, onCreate),
  faults() {
    const { found, ours } = objectsAndOurs(db)
    return differences(found, ours)
  },
  // PostgreSQL checks its pages and references itself.
  damage: () => [],
})

const hasTable = (db: PostgresDatabase, name: string): boolean =>
  db
    .query<{ n: number }, [string]>(
      `SELECT count(*) AS n FROM pg_class WHERE relnamespace = ${ownSpace} AND relname = ?`,
    )
    .get(name)?.n === 1

export const hasOurTables = (db: PostgresDatabase): boolean => hasTable(db, "kontor_schema")

/** The schema that tables are created in and looked for. */
const ownSpace = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"

/** True for an object of an extension, such as a table with its settings or a view of what it measures. */
const ofExtension = (oid: string, catalog: string): string =>
  `EXISTS (SELECT 1 FROM pg_depend WHERE objid = ${oid} AND classid = '${catalog}'::regclass AND deptype = 'e')`

/**
 * True if the schema that new tables are created in has no tables. Those of extensions, and views, which an administrator
 * may have created to watch the server, are not what a program stores.
 */
export const isEmpty = (db: PostgresDatabase): boolean =>
  db
    .query<{ n: number }, []>(
      `SELECT count(*) AS n FROM pg_class AS class
       WHERE relnamespace = ${ownSpace} AND relkind IN ('r', 'p', 'f') AND NOT ${ofExtension("class.oid", "pg_class")}`,
    )
    .get()?.n === 0

function versionOf(db: PostgresDatabase): number {
  if (!hasOurTables(db)) return 0
  return db.query<{ version: number }, []>("SELECT version FROM kontor_schema").get()?.version ?? 0
}

/** Another process that does the same waits until the transaction has ended. */
function migratePostgres(
  db: PostgresDatabase,
  recipe: Recipe,
  onCreate: string,
): { from: number; to: number } {
  const { schema, first = 1, steps } = recipe
  const to = first + steps.length
  // Only the empty database and an older one are changed; a server that starts again takes no lock.
  if (versionOf(db) === to) return { from: to, to }
  return db.transaction(() => {
    db.run(`SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(${db.keyOf(schemaLock)})`)
    const from = versionOf(db)
    if (from > 0) {
      showExtension(db, [db.schema])
      runSteps(db, from, recipe)
    } else {
      if (!isEmpty(db)) throw new Unusable(`${db.filename} has tables of another program.`)
      createSchemaAndExtension(db)
      db.run(translatedSchema(schema))
      db.run("INSERT INTO kontor_schema (id, application, version) VALUES (1, 'kontor', 1)")
      if (onCreate !== "") db.run(onCreate)
    }
    db.run(`UPDATE kontor_schema SET version = ${to}`)
    return { from, to }
  })()
}

/**
 * Creates the schema of the address, if there is none. The extension is for all shops of a database, so it is in the first
 * common schema.
 */
function createSchemaAndExtension(db: PostgresDatabase): void {
  const { schema } = db
  if (schema === null) return
  const has = db.query("SELECT 1 FROM pg_namespace WHERE nspname = ?").get(schema) !== null
  if (!has) db.run(`CREATE SCHEMA ${quotedName(schema)}`)
  db.run(`SET LOCAL search_path = public, ${quotedName(schema)}`)
  db.run(createExtension)
  showExtension(db, [schema])
}

/** Until the end of the transaction, lets statements name the operators of pg_trgm, in whatever schema they are. */
function showExtension(db: PostgresDatabase, spaces: readonly (string | null)[]): void {
  const found = db
    .query<{ name: string }, []>(
      "SELECT nspname::text AS name FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'",
    )
    .get()
  const names = [...spaces, found?.name ?? null].flatMap((name) => (name === null ? [] : quotedName(name)))
  db.run(`SET LOCAL search_path = ${names.join(", ")}`)
}

/** There is no need to rebuild a table: ALTER TABLE can change everything, and DDL is rolled back with the transaction. */
function runSteps(db: PostgresDatabase, from: number, { searched = [], first = 1, steps }: Recipe): void {
  const missing = steps.slice(from - first)
  missing.forEach(({ sql, postgres }, i) => {
    const text = postgres ?? translatedStep(sql, `migrations.sql, version ${from + 1 + i}`)
    if (text.trim() !== "") db.run(text)
  })
  for (const table of withoutSearch(searched, (name) => hasTable(db, name)))
    db.run(translatedStep(searchSchema(table), "the search tables"))
}

/** `definition` is the SQL of an object, or that of its columns. */
type CatalogObject = { type: string; name: string; of: string; definition: string }

const column = `concat_ws(' ', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
  nullif(attidentity, ''), nullif(attgenerated, ''), (SELECT collname FROM pg_collation WHERE oid = attcollation),
  (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum))`

/**
 * Functions of an extension are not ours. The first databases have an aggregate that no statement uses, and that only a
 * superuser may create.
 */
const isOwn = `NOT ${ofExtension("proc.oid", "pg_proc")}
  AND NOT (prokind = 'a' AND proname = 'group_concat')`

/** Views of another role run with its rights, and no statement of ours reads them. */
const isViewOfOthers =
  "(relkind IN ('v', 'm') AND relowner <> (SELECT oid FROM pg_roles WHERE rolname = current_user))"

/** The objects of the schema ?1: what could run with our rights, and what rules rely on. */
const objectsQuery = `WITH space AS (SELECT oid FROM pg_namespace WHERE nspname = ?1),
  class AS (SELECT * FROM pg_class AS each WHERE relnamespace = (SELECT oid FROM space)
    AND NOT ${ofExtension("each.oid", "pg_class")} AND NOT ${isViewOfOthers})
  SELECT 'table' AS type, relname AS name, relname AS of, concat_ws(' ', relrowsecurity,
    (SELECT string_agg(${column}, ', ' ORDER BY attname) FROM pg_attribute
     WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped)) AS definition
  FROM class WHERE relkind IN ('r', 'p', 'f')
  UNION ALL SELECT 'view', relname, relname, pg_get_viewdef(oid) FROM class WHERE relkind IN ('v', 'm')
  UNION ALL SELECT 'index', class.relname, of.relname, pg_get_indexdef(class.oid)
    FROM class JOIN pg_index ON indexrelid = class.oid JOIN pg_class AS of ON of.oid = indrelid
  UNION ALL SELECT 'constraint', conname, relname, pg_get_constraintdef(pg_constraint.oid)
    FROM pg_constraint JOIN class ON class.oid = conrelid
  UNION ALL SELECT 'trigger', tgname, relname, concat_ws(' ', pg_get_triggerdef(pg_trigger.oid), tgenabled)
    FROM pg_trigger JOIN class ON class.oid = tgrelid WHERE NOT tgisinternal
  UNION ALL SELECT 'rule', rulename, relname, pg_get_ruledef(pg_rewrite.oid)
    FROM pg_rewrite JOIN class ON class.oid = ev_class WHERE rulename <> '_RETURN'
  UNION ALL SELECT 'function', proname || '(' || pg_get_function_identity_arguments(oid) || ')',
      proname || '(' || pg_get_function_identity_arguments(oid) || ')',
      CASE prokind WHEN 'a' THEN 'aggregate' ELSE pg_get_functiondef(oid) END
    FROM pg_proc AS proc WHERE pronamespace = (SELECT oid FROM space) AND ${isOwn}
  ORDER BY 1, 2, 3`

/** `spaces` are the names of schemas, which the definitions are without. */
const objectsIn = (db: PostgresDatabase, space: string, spaces = [space]): SchemaObject[] =>
  db
    .query<CatalogObject, [string]>(objectsQuery)
    .all(space)
    .map(({ definition, ...each }) => {
      const written = spaces.flatMap((name) => [`${quotedName(name)}.`, `${name}.`])
      const sql = written.reduce((text, name) => text.replaceAll(name, ""), definition)
      return { ...each, sql, words: sql }
    })

const compared = "kontor_compared"
const noPrivilege = "42501"

/** Returns the objects of a database, and those that a new one has. The caller rolls the transaction back. */
function objectsAndOurs(db: PostgresDatabase): { found: SchemaObject[]; ours: SchemaObject[] } {
  const space = db.schema ?? "public"
  db.run("SAVEPOINT compared")
  showExtension(db, [space])
  const found = objectsIn(db, space)
  createSpace(db)
  showExtension(db, [compared, space])
  db.run(translatedSchema(wholeSchema()))
  const ours = objectsIn(db, compared, [compared, space])
  db.run("ROLLBACK TO compared")
  db.run("RELEASE compared")
  return { found, ours }
}

function createSpace(db: PostgresDatabase): void {
  try {
    db.run(`CREATE SCHEMA ${compared}`)
  } catch (error) {
    if (!hasCode(error, [noPrivilege])) throw error
    throw new Unusable(
      `The tables of ${db.filename} cannot be checked, because this user may not create a schema to compare them with. Use the owner of the database.`,
    )
  }
}
