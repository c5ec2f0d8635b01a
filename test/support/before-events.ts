import type { Database } from "../../src/core/engine/engine"

/** Removes what the version with events and later ones have added, so that the file is one of the version before it. */
export function dropEvents(db: Database): void {
  const added = ["deliveries", "positions", "secrets", "sending"].map((name) => `webhook_${name}`)
  for (const name of [...added, "webhooks", "events", "search_waiting", "sign_in_tries"])
    db.run(`DROP TABLE ${name}`)
}
