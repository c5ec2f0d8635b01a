import type { Database } from "../engine"
import oauth from "./migrations/2-oauth.sql" with { type: "text" }
import searchInSixteen from "./migrations/3-search-in-sixteen.sql" with { type: "text" }
import placesAndMerges from "./migrations/4-places-and-merges.sql" with { type: "text" }
import roleShop from "./migrations/5-role-shop.sql" with { type: "text" }
import contract from "./migrations/6-contract.sql" with { type: "text" }
import amounts from "./migrations/7-amounts.sql" with { type: "text" }
import tax from "./migrations/8-tax.sql" with { type: "text" }
import treatment from "./migrations/9-treatment.sql" with { type: "text" }
import credits from "./migrations/10-credits.sql" with { type: "text" }
import paper from "./migrations/11-paper.sql" with { type: "text" }
import data from "./migrations/12-data.sql" with { type: "text" }
import openingKeys from "./migrations/13-opening-keys.sql" with { type: "text" }
import { keyOpeningNumbers } from "./migrations/13-opening-keys"
import events from "./migrations/14-events.sql" with { type: "text" }
import searchMerges from "./migrations/15-search-merges.sql" with { type: "text" }
import deliveryErrors from "./migrations/16-delivery-errors.sql" with { type: "text" }
import signInTries from "./migrations/17-sign-in-tries.sql" with { type: "text" }
import webhookOwners from "./migrations/18-webhook-owners.sql" with { type: "text" }
import { keepSeller } from "./migrations/8-seller"

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
  /** What SQL cannot do, such as writing an audit entry. It runs after the SQL, in the same transaction. */
  complete?: (db: Database) => void
}

/**
 * steps[N - 2] migrates to version N; version 1 is the first release. Only append, as SQL text here or as a separate
 * file.
 */
export const releasedSteps: readonly Step[] = [
  { sql: oauth },
  { sql: searchInSixteen },
  { sql: placesAndMerges },
  { sql: roleShop, rebuilds: true },
  { sql: contract },
  { sql: amounts },
  { sql: tax, rebuilds: true, reindex: ["customers"], complete: keepSeller },
  { sql: treatment },
  { sql: credits, rebuilds: true },
  { sql: paper },
  { sql: data },
  { sql: openingKeys, complete: keyOpeningNumbers },
  { sql: events },
  { sql: searchMerges },
  { sql: deliveryErrors },
  { sql: signInTries },
  { sql: webhookOwners },
]
