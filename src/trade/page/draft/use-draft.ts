import { useQueryClient } from "@tanstack/react-query"
import type { UseFormReturnType } from "@mantine/form"
import { useRef, useState } from "react"
import { useLocation } from "wouter"
import { mayIncludeTax } from "../../../shared/documents/line"
import { creditOverrideRoles } from "../../../shared/rights"
import { useMe } from "../../../console/api/hooks"
import { ApiError } from "../../../console/api/send"
import type { ApiAnswer, Customer, Kinds, Me, Role, Warning } from "../../../console/api/types"
import { digitsOf } from "../../../console/format"
import { addressValuesOf, type AddressValues } from "../../../console/forms/address-fields"
import { emptyAsNull, type Values } from "../../../console/forms/body"
import { placeError } from "../../../console/forms/field-errors"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { kinds } from "../../../console/kinds"
import { confirm } from "../../../console/parts/confirm"
import { showTop } from "../../../console/parts/page"
import { tellDone, tellErrorOnNextPage, tellWarnings, unknownOf } from "../../../console/parts/tell"
import { copyOfLine, lineOf } from "../lines/filled-line"
import { blankLine, filledLines, type LineValues } from "../lines/line-values"
import { linesBody } from "../lines/lines-body"
import { discountValuesOf, documentDiscountBody, type DiscountValues } from "./document-discount"
import { t } from "../texts"
import { type DocumentKind, setStatus } from "../use-steps"

export type Draft = Kinds[DocumentKind]

/** The form values that orders and invoices share. */
export type DocumentValues = {
  customer: string
  pricesIncludeTax: boolean
  paymentTerms: string
  buyerReference: string
  shippingAddress: AddressValues
  notes: string
  items: LineValues[]
} & DiscountValues

export type DraftOptions<K extends DocumentKind, V extends Values> = {
  kind: K
  /** The draft; null for a new document. */
  record: Kinds[K] | null
  /** The customer of a new document, if known. */
  customer?: Customer
  /** The document from which a new one is filled. */
  copied?: Kinds[K] | null
  /** The values that only this kind has, such as its dates; those of a new document if there is none. */
  ownValues: (record: Kinds[K] | null, company: Me["company"]) => V
  /** How a saved draft is finalized, if it is: an order is submitted, an invoice is issued. */
  finalize?: Finalize<K>
  /** The ids of the stored lines of which only the quantity can be updated. */
  held?: ReadonlySet<string>
  /** Asks before what was typed is saved. Resolves to false if it should not be. */
  maySave?: (values: V) => Promise<boolean>
  /** How the credit limit is overridden when a document is saved that counts against it. */
  credit?: Credit
  /** The message after the document was saved or finalized, or after the user kept the draft. */
  told: (saved: Kinds[K], outcome: "saved" | "finalized" | "kept") => string | null
}

/** How texts call the document, and the label of the button that overrides the credit limit. */
type Credit = { document: CreditDocument; anyway: string }
type CreditDocument = "order" | "invoice" | "revision"

type Finalize<K extends DocumentKind> = {
  status: Kinds[K]["status"]
  /** If the credit limit is checked. */
  credit?: Credit
  /** Asks before the draft is finalized. */
  ask?: (saved: Kinds[K], role: Role) => Promise<Answer>
}

/** What the user has answered: null to keep the draft, or to open the page where something is filled in. */
export type Answer = null | { goTo: string } | { override?: true; send?: true; known: readonly Warning[] }

/** Saves the draft of an order or an invoice. It can also finalize the draft. The form is saved before that. */
export function useDraft<K extends DocumentKind, V extends Values>(options: DraftOptions<K, V>) {
  const { kind, record, customer, copied = null, ownValues, held, credit } = options
  const wantsFinal = useRef(false)
  const { company, role } = useMe()
  const onDone = useDone(options)
  const finalizing = useFinalizing(options, onDone, (error) => placeError(state.form, error))
  const state = useRecordForm<K, DocumentValues & V>({
    kind,
    record,
    valuesOf: (from) => ({
      ...(from || !copied ? documentValues(from, customer, company) : copyOf(copied, company)),
      ...ownValues(from, company),
    }),
    bodyOf: ({ discount, discountAmount, isDiscountAmount, ...values }) => ({
      ...emptyAsNull(values),
      ...documentDiscountBody({ discount, discountAmount, isDiscountAmount }),
      shippingAddress: addressBody(values.shippingAddress),
      items: linesBody(values.items, digitsOf(company.currency), held),
    }),
    sendAgain: async (error) => {
      const answer = await overrides(error, credit, role)
      return answer === undefined ? undefined : answer && { override: true }
    },
    companions: { customer: ["paymentTerms", "buyerReference", "shippingAddress"] },
    onSaved: (saved) => void (wantsFinal.current ? finalizing.run(saved) : onDone(saved, "saved")),
  })
  const save = async (andFinalize: boolean): Promise<void> => {
    if (options.maySave && !(await options.maySave(state.form.getValues()))) return
    wantsFinal.current = andFinalize
    dropEmptyLines(state.form)
    finalizing.forgetError()
    return state.save()
  }
  return {
    ...state,
    error: state.error ?? finalizing.error,
    isSaving: state.isSaving && !wantsFinal.current,
    isFinalizing: finalizing.isRunning || (state.isSaving && wantsFinal.current),
    save: () => save(false),
    saveAndFinalize: () => save(true),
  }
}

/** Removes the lines that say nothing, because errors of the server name lines by their places. One line always stays. */
function dropEmptyLines<V extends DocumentValues>(form: UseFormReturnType<V>): void {
  const { items } = form.getValues()
  const filled = filledLines(items)
  const kept = filled.length > 0 ? filled : items.slice(0, 1)
  if (kept.length < items.length) form.setValues({ items: kept } as Partial<V>)
}

/** Returns the values of a document; those of a new one if there is none. `customer` is the one of a new document. */
function documentValues(
  record: Draft | null,
  customer: Customer | undefined,
  { currency, pricesIncludeTax, defaultPaymentTerms }: Me["company"],
): DocumentValues {
  const from = record ?? {
    customer: customer?.id ?? "",
    pricesIncludeTax:
      (customer?.pricesIncludeTax ?? pricesIncludeTax) && mayIncludeTax(customer?.taxTreatment ?? "domestic"),
    paymentTerms: customer?.paymentTerms ?? defaultPaymentTerms,
    buyerReference: customer?.buyerReference ?? null,
    shippingAddress: customer?.shippingAddress ?? null,
    notes: null,
  }
  return {
    customer: from.customer,
    pricesIncludeTax: from.pricesIncludeTax,
    paymentTerms: from.paymentTerms ?? "",
    buyerReference: from.buyerReference ?? "",
    shippingAddress: addressValuesOf(from.shippingAddress),
    notes: from.notes ?? "",
    ...discountValuesOf(record),
    items: record ? record.items.map((line) => lineOf(line, digitsOf(currency))) : [blankLine()],
  }
}

/** The values of a new document that is like another one. */
const copyOf = (document: Draft, company: Me["company"]): DocumentValues => ({
  ...documentValues(document, undefined, company),
  items: document.items.map((line) => copyOfLine(line, digitsOf(company.currency))),
})

/** Returns the address for the request body: null if nothing is typed. */
function addressBody(values: AddressValues) {
  const body = emptyAsNull(values)
  return Object.values(body).every((part) => part === null) ? null : body
}

/** Tells what happened to a document, and opens the page of a new one. */
function useDone<K extends DocumentKind, V extends Values>({ kind, record, told }: DraftOptions<K, V>) {
  const openNew = useOpenNew(kind, record)
  return (saved: Kinds[K], outcome: "saved" | "finalized" | "kept") => {
    const message = told(saved, outcome)
    if (message === null) return
    tellDone(message)
    openNew(saved)
  }
}

function useOpenNew<K extends DocumentKind>(kind: K, record: Kinds[K] | null) {
  const [, go] = useLocation()
  return ({ id }: Kinds[K]) => {
    if (!record) go(`${kinds[kind].path}/${id}`, { replace: true })
  }
}

/** Finalizes a saved draft. `messageOfError` returns the message to show above the form. */
function useFinalizing<K extends DocumentKind, V extends Values>(
  { kind, record, finalize }: DraftOptions<K, V>,
  onDone: ReturnType<typeof useDone<K, V>>,
  messageOfError: (error: unknown) => string | null,
) {
  const client = useQueryClient()
  const { role } = useMe()
  const openNew = useOpenNew(kind, record)
  const [, go] = useLocation()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const run = async (saved: Kinds[K]): Promise<void> => {
    setRunning(true)
    try {
      if (!finalize) return
      const answer = await finalized(kind, saved, finalize, role)
      if (!answer || "goTo" in answer) {
        onDone(saved, "kept")
        if (answer) go(answer.goTo)
        return
      }
      client.setQueryData([kind, saved.id], answer.data)
      tellWarnings(answer.warnings)
      onDone(answer.data, "finalized")
      showTop()
    } catch (error) {
      if (record) return setError(messageOfError(error))
      // A new document is already saved as a draft, so the user continues on its page.
      tellErrorOnNextPage(error)
      openNew(saved)
    } finally {
      setRunning(false)
      await client.invalidateQueries()
    }
  }
  return { isRunning, error, run, forgetError: () => setError(null) }
}

/**
 * Finalizes a draft, which the server rejects if it exceeds the customer's credit limit. Asks users who may override the
 * limit for confirmation. Returns null if the user keeps the draft.
 */
async function finalized<K extends DocumentKind>(
  kind: K,
  saved: Kinds[K],
  { status, credit, ask }: Finalize<K>,
  role: Role,
): Promise<ApiAnswer<Kinds[K]> | { goTo: string } | null> {
  const asked = ask ? await ask(saved, role) : { known: [] }
  if (asked === null || "goTo" in asked) return asked
  const { known, ...wanted } = asked
  try {
    const done = await setStatus(kind, saved, { status, ...wanted })
    return { ...done, warnings: unknownOf(done.warnings, known) }
  } catch (error) {
    const answer = await overrides(error, credit, role)
    if (answer === undefined) throw error
    return answer && setStatus(kind, saved, { status, ...wanted, override: true })
  }
}

/** Asks whether the credit limit is to be overridden. Undefined if the error is another one. */
async function overrides(error: unknown, credit: Credit | undefined, role: Role) {
  const message = credit ? creditProblemOf(error, credit.document, role) : null
  if (!credit || message === null) return undefined
  return confirm({
    title: t(($) => $.documents.creditExceeded),
    text: t(($) => $.documents.creditQuestion[credit.document], { message }),
    action: credit.anyway,
  })
}

/**
 * Returns the message of a credit limit that the user may override; null for another error. Throws an error with what to
 * do for a user who may not.
 */
export function creditProblemOf(error: unknown, document: CreditDocument, role: Role): string | null {
  if (!(error instanceof ApiError) || error.code !== "CREDIT_LIMIT_EXCEEDED") return null
  // Remove the last sentence of the message. It is for API clients and names a field of the request.
  const message = error.message.replace(/ [^.]*override: true\.$/, "")
  if (creditOverrideRoles.includes(role)) return message
  throw new ApiError(
    error.status,
    error.code,
    t(($) => $.documents.creditRefused[document], { message }),
  )
}
