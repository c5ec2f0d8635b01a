import type { Area } from "../../shared/rights"
import { lower } from "../../lib/text"
import type { Resource } from "../../resource/define"
import { customers } from "../customers/model"
import { invoices } from "../invoices/model"
import { items } from "../items/model"
import { salesOrders } from "../sales-orders/model"

/** One thing found. */
export type Hit = { id: string; name: string; score: number }

/** A kind that search knows: where it is kept, what names it, and which number or code finds it outright. */
export type SearchKind = {
  name: string
  area: Area
  resource: Resource
  /** The column that holds its code or number, and how a person's spelling is brought into its form. */
  code: { column: string; key: string; form: (typed: string) => string }
  /** The column that holds the name that people know it by, and the one that it sorts by. */
  title: { column: string; sort: string }
  /** What is shown of a hit. */
  shown: (row: Candidate) => string
  /** Begins its numbers, so that 42 finds INV-2026-00042. */
  series?: string
}

/** A row that may be a hit, with what its score is made from. */
export type Candidate = { seq: number; id: string; code: string | null; title: string; more: string }

const upper = (typed: string) => typed.toUpperCase()
const document = (row: Candidate) => `${row.code ?? "Draft"} · ${row.title}`

/** The kinds in the order in which they are answered. */
export const searchKinds: readonly SearchKind[] = [
  {
    name: "items",
    area: "items",
    resource: items,
    code: { column: "item_code", key: "item_code_key", form: lower },
    title: { column: "item_name", sort: "item_name_sort" },
    shown: ({ title }) => title,
  },
  {
    name: "customers",
    area: "customers",
    resource: customers,
    code: { column: "customer_number", key: "customer_number", form: upper },
    title: { column: "name", sort: "name_sort" },
    shown: ({ title }) => title,
    series: "CUST",
  },
  {
    name: "sales-orders",
    area: "sales-orders",
    resource: salesOrders,
    code: { column: "order_number", key: "order_number", form: upper },
    title: { column: "customer_name", sort: "" },
    shown: document,
    series: "SO",
  },
  {
    name: "invoices",
    area: "invoices",
    resource: invoices,
    code: { column: "invoice_number", key: "invoice_number", form: upper },
    title: { column: "customer_name", sort: "" },
    shown: document,
    series: "INV",
  },
]
