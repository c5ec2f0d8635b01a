import type { ComponentProps } from "react"
import { useSearchParams } from "wouter"
import { useRecord } from "../../console/api/hooks"
import { useMayWrite } from "../../console/api/rights"
import type { Kinds } from "../../console/api/types"
import { money } from "../../console/format"
import { kinds } from "../../console/kinds"
import { type Filter } from "../../console/lists/filters"
import { RecordList } from "../../console/lists/record-list"
import { t as common } from "../../console/texts"
import { fieldName } from "../../console/texts/fields"
import { columnsOf } from "./columns"
import { type LinesKind, type PrintedKind, downloadPdf } from "./papers/paper-files"
import type { BulkAction } from "../../console/lists/bulk-run"
import { t } from "./texts"

type ListProps<K extends LinesKind | "payments"> = ComponentProps<typeof RecordList<K>>

type Props<K extends LinesKind | "payments"> = Omit<
  ListProps<K>,
  "title" | "hrefOf" | "describe" | "create"
> & {
  /** The label of the button that creates a document, for users with the right. */
  create?: string
}

/** A list of what customers get and pay. Links from a customer show only what belongs to that customer. */
export function DocumentList<K extends LinesKind | "payments">({ create, ...props }: Props<K>) {
  const { title, path } = kinds[props.kind]
  const mayCreate = useMayWrite()(props.kind)
  return (
    <RecordList
      {...(props as Omit<ListProps<K>, "title">)}
      title={title}
      hrefOf={({ id }) => `${path}/${id}`}
      create={mayCreate && create !== undefined && { label: create, href: `${path}/new` }}
      describe={useCustomerInWords()}
    />
  )
}

/** Describes the customer filter in the URL by the customer's name. */
function useCustomerInWords() {
  const [params] = useSearchParams()
  const { data } = useRecord("customers", params.get("customer"))
  return (name: string) =>
    name === "customer" && data ? common(($) => $.lists.filter.customer, { name: data.name }) : undefined
}

type Given<K extends LinesKind> = Parameters<typeof columnsOf<K>>[1][number]

/** The columns of a list of documents. Amounts are in the currency of each document, and are added up. */
export const documentColumns = <K extends LinesKind>(
  kind: K,
  standard: readonly Given<K>[],
  more: readonly Given<K>[],
) => columnsOf(kind, standard.map(ofDocument<K>), more.map(ofDocument<K>))

function ofDocument<K extends LinesKind>(given: Given<K>): Given<K> {
  const column = typeof given === "string" ? { key: given } : given
  const { key } = column
  if (key === "customerName") return { title: common(($) => $.fields.customer), ...column }
  if (!("as" in column)) return column
  return { hasSum: true, show: (row: Kinds[K]) => money(row[key] as number, row.currency), ...column }
}

export const dateFilter = (key: string): Filter => ({ key, label: fieldName(key), isDate: true })

/** Downloads the PDFs of the selected documents as one zip. */
export const pdfBulk = <K extends PrintedKind>(kind: K): BulkAction<Kinds[K]> => ({
  label: t(($) => $.paper.downloadPdfs),
  done: "downloaded",
  download: ({ id }, signal) => downloadPdf(kind, id, signal),
})
