// SQL for values that a statement gets as one JSON text. Only these functions know how an engine reads JSON.

/** The texts of a JSON array: `id IN ${listOf("?")}`. */
export const listOf = (json: string): string => `(SELECT value FROM ${rowsOf(json)})`

/** The integers of a JSON array: `seq IN ${integersOf("?")}`. */
export const integersOf = (json: string): string => `(SELECT CAST(value AS BIGINT) FROM ${rowsOf(json)})`

/** A JSON array as a table with the columns `key`, from 0 on, and `value`. */
export const rowsOf = (json: string): string => `json_each(${json})`

/** The text of a member of a JSON object. */
export const textIn = (json: string, name: string): string => `${json} ->> '${name}'`

/** The integer of a member of a JSON object. */
export const integerIn = (json: string, name: string): string => `CAST(${textIn(json, name)} AS BIGINT)`

/** 1 if a member of a JSON object is true, else 0. SQLite reads it as a number, other engines as a text. */
export const isTrueIn = (json: string, name: string): string =>
  `CASE WHEN CAST(${textIn(json, name)} AS TEXT) IN ('1', 'true') THEN 1 ELSE 0 END`

/** True when the name of a series begins with a prefix and a hyphen. The period is the character after the hyphen. */
export const isOfPrefix = (name: string, prefix: string): string =>
  `(${name} >= ${prefix} || '-' AND ${name} < ${prefix} || '.')`
