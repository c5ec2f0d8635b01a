import type { Database } from "bun:sqlite"
import { findFaults } from "../db/check"
import { findSchemaFaults } from "../db/schema-check"
import { Unusable } from "../lib/unusable"
import { findBrokenLink, headOf } from "../modules/audit/store"
import { customers } from "../modules/customers/model"
import { invoices } from "../modules/invoices/model"
import { items } from "../modules/items/model"
import { salesOrders } from "../modules/sales-orders/model"
import { findSearchFaults } from "../resource/search-check"
import { print, type Command } from "./command"
import { openExisting } from "./database"

export const checkCommand: Command = {
  name: "check",
  summary:
    "Check the database: integrity, references, stock, totals, figures, numbers, search and the audit chain",
  usage: "[--json]",
  examples: ["kontor check", "kontor check --db /srv/kontor.db --json"],
  takes: ["db"],
  switches: { json: "Print the result as JSON" },
  run({ config, switches }) {
    const db = openExisting(config.db)
    try {
      // In one transaction, so that all of it is of one moment, whatever a server writes meanwhile.
      const { faults, auditHead } = db.transaction(() => ({ faults: faultsOf(db), auditHead: headOf(db) }))()
      if (switches.json) print(JSON.stringify({ ok: faults.length === 0, faults, auditHead }))
      else {
        for (const fault of faults) print(fault)
        print(`Head of the audit log: ${auditHead}`)
      }
      if (faults.length > 0)
        throw new Unusable(`${config.db} has ${faults.length} fault${faults.length > 1 ? "s" : ""}.`)
    } finally {
      db.close()
    }
  },
}

function faultsOf(db: Database): string[] {
  const altered = findSchemaFaults(db)
  try {
    return [...altered, ...faultsInRows(db)]
  } catch (error) {
    if (altered.length === 0) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return [...altered, `The rows could not be looked through: ${reason}.`]
  }
}

function faultsInRows(db: Database): string[] {
  const broken = findBrokenLink(db)
  const tampered =
    broken &&
    `The audit log was changed: entry ${broken.position} (${broken.id}) does not follow from the one before.`
  return [
    ...findFaults(db),
    ...(tampered ? [tampered] : []),
    ...[items, customers, salesOrders, invoices].flatMap((resource) => findSearchFaults(db, resource)),
  ]
}
