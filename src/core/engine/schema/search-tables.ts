/** The tables whose kinds can be searched; null until src/kinds.ts has told them. */
let searched: readonly string[] | null = null
export function setSearchedTables(tables: readonly string[]): void {
  searched = tables
}
export function searchedTables(): readonly string[] {
  if (searched === null)
    throw new Error("src/kinds.ts is not loaded, and without it not all tables are known.")
  return searched
}

/** The names of the two search tables of a kind. */
export const searchTables = (table: string): [string, string] => [`${table}_search`, `${table}_words`]

/** The number of segments of the same level that are merged to one. */
export const segmentsToMerge = 16

/**
 * FTS5 does not merge segments by itself: one of its merges can block all requests for more than 100 ms. Kontor merges
 * sixteen segments at a time, in small steps. FTS5 would only do it when these are far behind.
 */
const settings = { automerge: 0, usermerge: segmentsToMerge, crisismerge: 256 }

/**
 * The search tables of a kind, in the language of schema.sql. One has its trigrams, for the search in lists; fragments are
 * for the global search. The other has its words, with additional fields, for the global search. Both are written a moment
 * after a commit; rowid is the seq of the record.
 */
export function searchSchema(table: string): string {
  const [trigrams, words] = searchTables(table)
  const statements = [
    `CREATE VIRTUAL TABLE ${trigrams} USING fts5 (
  words, fragments, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
)`,
    `CREATE VIRTUAL TABLE ${words} USING fts5 (
  words, more, content = '', contentless_delete = 1, detail = column, prefix = '2 3', tokenize = 'ascii'
)`,
    ...[trigrams, words].flatMap((name) =>
      Object.entries(settings).map(
        ([setting, value]) => `INSERT INTO ${name} (${name}, rank) VALUES ('${setting}', ${value})`,
      ),
    ),
  ]
  return statements.map((statement) => `${statement};\n`).join("")
}

/** The tables whose search tables do not exist yet. */
export const withoutSearch = (tables: readonly string[], exists: (name: string) => boolean): string[] =>
  tables.filter((table) => !exists(searchTables(table)[0]))

/** The row of `positions` that has the definition by which the search tables of a kind were filled. */
export const definitionRow = (table: string): string => `search:${table}`
