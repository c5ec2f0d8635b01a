import { tableCrud } from "../../resource/crud"
import type { TableStore } from "../../resource/table-store"
import { items } from "./model"

export const itemService = (store: TableStore<typeof items>) => tableCrud(items, store)

export type ItemService = ReturnType<typeof itemService>
