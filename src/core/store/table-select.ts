import type { Resource } from "../kind/define"
import type { Field, MoneyContext } from "../kind/field"
import { sourceOf } from "./filter"
import type { TableShape } from "./table-shape"

/**
 * Returns the SQL that reads the columns of a table: `sql` up to the columns, `byId` for one record, and `derived` for
 * the derived fields of a new record. The texts depend on the date and the decimals, which rarely change, so they are
 * cached.
 */
export function tableSelect({ table, countsChanges }: Resource, { fields, derived }: TableShape) {
  let cached = { digits: -1, today: "", sql: "", byId: "", derived: { columns: "", query: "" } }
  return (moneyContext: MoneyContext) => {
    const { digits, today } = moneyContext
    if (cached.digits !== digits || cached.today !== today) {
      const shown = ([name, field]: [string, Field]) => `${sourceOf(name, field, moneyContext)} AS "${name}"`
      const columns = derived.map(shown).join(", ")
      const sql = `SELECT ${fields.map(shown).join(", ")}`
      cached = {
        digits,
        today,
        sql,
        byId: `${sql}${countsChanges ? ", change_count" : ""} FROM ${table} WHERE id = ?`,
        derived: {
          columns,
          query: columns === "" ? "" : `SELECT ${columns} FROM ${table} WHERE seq = ?`,
        },
      }
    }
    return cached
  }
}
