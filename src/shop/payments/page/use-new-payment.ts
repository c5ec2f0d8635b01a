import { useLocation } from "wouter"
import { useMe } from "../../../console/api/hooks"
import type { Customer, Payment } from "../../../console/api/types"
import { emptyAsNull } from "../../../console/forms/body"
import type { Typed } from "../../../console/forms/number"
import { paymentMethods } from "../../../console/forms/payment-methods"
import { remembered, rememberMethod } from "../../../console/forms/remembered"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { digitsOf, money } from "../../../console/format"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"
import { mostInvoices, useOpenInvoices, type OpenInvoice } from "./open-invoices"
import { proposedParts } from "./proposal"

/** `allocations` contains the parts that the user has typed, by the id of the invoice. The others are proposed. */
export type Values = {
  customer: string
  amount: Typed
  paymentDate: string
  method: string
  reference: string
  allocations: Record<string, Typed>
}

/** An open invoice, and the part of the payment that pays it. */
export type Line = { invoice: OpenInvoice; part: Typed }

/** The form of a payment, and the open invoices of its customer with the proposed or typed parts. */
export function useNewPayment(customer: Customer | null) {
  const { today, currency } = useMe().company
  const [, go] = useLocation()
  const digits = digitsOf(currency)
  // The form tells the customer, and needs the invoices of the customer.
  const linesOf = (values: Values) => linesIn(values, open.data ?? [], digits)
  const state = useCreateForm<Payment, Values>({
    path: "/payments",
    initialValues: {
      customer: customer?.id ?? "",
      amount: "",
      paymentDate: today,
      method: remembered("paymentMethod") ?? "",
      reference: "",
      allocations: {},
    },
    bodyOf: (values) => ({ ...emptyAsNull(values), allocations: allocationsIn(linesOf(values)) }),
    check: ({ customer }) => (customer !== "" && !open.data ? t(($) => $.payments.stillLoading) : null),
    fieldOf: (field, values) => {
      const [, index] = /^allocations\[(\d+)\]\./.exec(field) ?? []
      const invoice = allocationsIn(linesOf(values))[Number(index)]?.invoice
      return invoice ? `allocations.${invoice}` : field
    },
    onCreated: ({ id, amount, method }) => {
      rememberMethod(method, paymentMethods)
      tellDone(t(($) => $.invoices.wasPaid, { amount: money(amount, currency) }))
      go(`/payments/${id}`)
    },
  })
  const open = useOpenInvoices(state.form.values.customer)
  return { state, open, lines: linesOf(state.form.values) }
}

function linesIn({ amount, allocations }: Values, open: OpenInvoice[], digits: number): Line[] {
  const invoices = open.slice(0, mostInvoices)
  const parts = proposedParts(
    amount,
    invoices.map(({ id, balance }) => ({ balance, typed: allocations[id] })),
    digits,
  )
  return invoices.map((invoice, i) => ({ invoice, part: parts[i] ?? "" }))
}

/** The parts of a request. Text that is not a number is sent too, and the server rejects it. */
const allocationsIn = (lines: Line[]): { invoice: string; amount: Typed }[] =>
  lines
    .filter(({ part }) => part !== "" && part !== 0)
    .map(({ invoice, part }) => ({ invoice: invoice.id, amount: part }))
