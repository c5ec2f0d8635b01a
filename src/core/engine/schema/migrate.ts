import schema from "../../../../schema.sql" with { type: "text" }
import { Unusable } from "../../lib/refusal"
import type { Database, Recipe } from "../engine"
import { assertFinished } from "../transfer/mark"
import { firstVersion, releasedSteps } from "./migrations"
import { searchedTables, searchSchema } from "./search-tables"

export const latestVersion = firstVersion + releasedSteps.length

/** All tables of a new database: those of schema.sql, and those that searched kinds have in addition. */
export const wholeSchema = (): string => [schema, ...searchedTables().map(searchSchema)].join("\n")

/** How Kontor creates and migrates its databases. */
export const ours: Recipe = {
  get schema() {
    return wholeSchema()
  },
  get searched() {
    return searchedTables()
  },
  first: firstVersion,
  steps: releasedSteps,
}

/**
 * The version of the database; 0 when it is empty. Refuses one that is newer than this program or too old for it, and an
 * unfinished copy.
 */
export function versionOf(db: Database, latest = latestVersion, first = firstVersion): number {
  assertFinished(db)
  const version = db.engine.schema.version()
  if (version > latest)
    throw new Unusable(
      `The database is at version ${version}; this Kontor supports up to version ${latest}. Use a newer Kontor, or restore a backup.`,
    )
  if (version > 0 && version < first)
    throw new Unusable(
      `The database is at version ${version} of a Kontor before its first release; this Kontor upgrades databases from version ${first} on. It was not changed.`,
    )
  return version
}

/**
 * Creates the tables, or migrates them to the latest version, in one transaction. `onCreate` is SQL that a new database
 * gets with its tables. Error messages have no full stop: the caller completes the sentence.
 */
export function migrate(db: Database, recipe: Recipe = ours, onCreate = ""): { from: number; to: number } {
  const { first = 1, steps } = recipe
  versionOf(db, first + steps.length, first)
  return db.engine.schema.migrate(recipe, onCreate)
}
