import { fold, lower } from "../lib/text"
import { columnOf, fieldsOf, shadowsOf, storedFields, type Resource } from "./define"
import { learnedFields } from "./search"

/** What a resource is to its table: which fields are read and written, in which form, and by which statements. */
export function shapeOf(resource: Resource) {
  const { table } = resource
  const fields = fieldsOf(resource).filter(([, field]) => !field.isElsewhere)
  const stored = storedFields(resource)
  const columns = stored.flatMap(([name, field]) => [columnOf(name), ...shadowsOf(name, field)])
  return {
    fields,
    derived: fields.filter(([, field]) => field.derived),
    learned: learnedFields(resource),
    amounts: fields.filter(([, field]) => field.kind === "amount").map(([name]) => name),
    /** The fields that SQLite keeps in another form than we do. */
    converted: fields
      .map(([name, { kind }]) => ({ name, kind }))
      .filter(({ kind }) => kind === "boolean" || kind === "decimal" || kind === "json"),
    unique: fields
      .filter(([, field]) => field.unique)
      .map(([name]) => ({
        name,
        sql: `SELECT 1 FROM ${table} WHERE ${columnOf(name)}_key = ? AND id IS NOT ?`,
      })),
    /** Each field with what makes its columns. */
    writers: stored.map(([name, field]) => ({
      name,
      field,
      shadows: shadowsOf(name, field).map((shadow) => (shadow.endsWith("_key") ? lower : fold)),
    })),
    insertion: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    replacement: `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE id = ? RETURNING seq`,
  }
}
