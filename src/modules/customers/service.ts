import type { Database } from "bun:sqlite"
import { nextNumber } from "../../db/numbers"
import type { Tx } from "../../db/writer"
import { tableCrud } from "../../resource/crud"
import type { Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import { customers } from "./model"
import { addFigures, findBuyer } from "./store"

/** Customers are one table; each gets the next number of its series. */
export function customerService(db: Database, store: TableStore<typeof customers>) {
  const crud = tableCrud(customers, store)
  return {
    ...crud,
    create: (tx: Tx, input: Input) =>
      crud.make(tx, input, { served: () => ({ customerNumber: nextNumber(db, "CUST") }) }),
    /** A customer as documents need it. */
    forDocument: (id: string) => findBuyer(db, id),
    /** Adds to the figures that follow the documents. */
    addFigures: (id: string, { outstanding = 0, openOrders = 0 }) =>
      addFigures(db, id, outstanding, openOrders),
  }
}

export type CustomerService = ReturnType<typeof customerService>
