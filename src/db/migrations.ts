import oauth from "./migrations/2-oauth.sql" with { type: "text" }
import searchInSixteen from "./migrations/3-search-in-sixteen.sql" with { type: "text" }
import placesAndMerges from "./migrations/4-places-and-merges.sql" with { type: "text" }

/** How a file of one version becomes one of the next. */
export type Step = {
  sql: string
  /** The kinds, by name, whose search tables are filled again: their text is made in TypeScript, which SQL cannot do. */
  reindex?: readonly string[]
  /**
   * True when the step makes a table again: CREATE under another name, INSERT … SELECT, DROP the old one, RENAME. Foreign
   * keys are off meanwhile, so nothing is deleted by a cascade. No table that is there before and after may have fewer rows.
   */
  rebuilds?: true
}

/** Version N is reached by steps[N - 2]; version 1 is the first release. Append only: SQL text here, or a file of its own. */
export const releasedSteps: readonly Step[] = [
  { sql: oauth },
  { sql: searchInSixteen },
  { sql: placesAndMerges },
]
