import { Database } from "bun:sqlite"

export type Good = {
  id: string
  seq: number
  item_code: string
  item_name: string
  category: string
  description: string
  selling_price: number
  created_at: string
}

/** All items of the shop, with the fields that the baselines use. */
export function goodsOf(shop: string): Iterable<Good> {
  const db = new Database(shop, { readonly: true })
  return db
    .query<Good, []>(
      "SELECT id, seq, item_code, item_name, category, description, selling_price / 1e4 AS selling_price, created_at FROM items",
    )
    .iterate()
}

/** Inserts rows into a table that another server has created, while that server is idle. */
export function fillTable(
  file: string,
  table: string,
  rows: Iterable<Record<string, string | number>>,
): void {
  const db = new Database(file)
  db.transaction(() => {
    let insert: ReturnType<Database["prepare"]> | null = null
    for (const row of rows) {
      insert ??= db.prepare(
        `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
          .map(() => "?")
          .join(", ")})`,
      )
      insert.run(...Object.values(row))
    }
  })()
  db.close()
}
