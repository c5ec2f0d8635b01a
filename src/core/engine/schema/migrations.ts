import webhookOwners from "./migrations/18-webhook-owners.sql" with { type: "text" }

/** The migration from one version to the next. */
export type Step = {
  sql: string
  /** The kinds whose search tables are rebuilt: their text is computed in TypeScript, which SQL cannot do. */
  reindex?: readonly string[]
  /**
   * True when the step rebuilds a table: CREATE under another name, INSERT … SELECT, DROP the old one, RENAME. Foreign
   * keys are off during the step, so that nothing is deleted by a cascade. No table that exists before and after may
   * lose rows.
   */
  rebuilds?: true
}

/** The oldest version that can be migrated. Those before it were not released. */
export const firstVersion = 17

/** releasedSteps[N - 18] migrates to version N. Only append, as SQL text here or as a separate file. */
export const releasedSteps: readonly Step[] = [{ sql: webhookOwners }]
