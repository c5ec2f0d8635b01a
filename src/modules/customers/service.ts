import type { Database } from "bun:sqlite"
import { nextNumber } from "../../db/numbers"
import type { Tx } from "../../db/writer"
import { tableCrud } from "../../resource/crud"
import type { Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import { customers } from "./model"

/** Customers are one table; each gets the next number of its series. */
export function customerService(db: Database, store: TableStore<typeof customers>) {
  const crud = tableCrud(customers, store)
  const create = (tx: Tx, input: Input) =>
    crud.make(tx, input, { served: () => ({ customerNumber: nextNumber(db, "CUST") }) })
  return { ...crud, create }
}

export type CustomerService = ReturnType<typeof customerService>
