import type { UseFormReturnType } from "@mantine/form"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useRef } from "react"
import { mayIncludeTax, withReasons } from "../../../shared/documents/line"
import { plainTotals, type PlainTotals } from "../../../shared/documents/totals"
import { call } from "../../../console/api/client"
import { useMe, useRecord } from "../../../console/api/hooks"
import type { Customer, Me } from "../../../console/api/types"
import { addressValuesOf } from "../../../console/forms/address-fields"
import { digitsOf } from "../../../console/format"
import { type Conversion, discountForTotals, discountInOtherSense } from "./document-discount"
import type { DocumentValues, Draft } from "./use-draft"
import { figuresOf } from "../lines/lines-body"
import { type FormSense, usualRateOf } from "../lines/filled-line"
import { inOtherSense, type LinePrices } from "../lines/other-sense"
import { codeFinder, type FormTaxRules, type LineTax, taxOfValues } from "../lines/line-tax"
import { useLineItems } from "../lines/use-line-items"
import type { DocumentKind } from "../use-steps"
import { useTaxCodes } from "../lines/tax-codes"

type Form = UseFormReturnType<DocumentValues>
type Stored = Draft | null

/**
 * The prices and the tax of a document while the user edits it, as the server will store them. `record` is the stored
 * document.
 */
export function useDocumentTax(form: Form, kind: DocumentKind, record: Stored, held?: ReadonlySet<string>) {
  const { company } = useMe()
  const { values } = form
  const { data: customer } = useRecord("customers", values.customer)
  const items = useLineItems(values.items.map(({ item }) => item))
  const codes = useTaxCodes()
  const rules: FormTaxRules = {
    ...useTreatment(values.customer, kind, record),
    codes,
    findCode: codeFinder(codes),
    defaultTaxCode: company.defaultTaxCode,
    taxReason: customer?.taxReason ?? null,
    language: customer?.language ?? company.defaultLanguage,
    find: items.find,
  }
  const sense = {
    includesTax: values.pricesIncludeTax,
    sellingPricesIncludeTax: company.pricesIncludeTax,
    digits: digitsOf(company.currency),
  }
  const taxes = values.items.map((line) => taxOfValues(line, rules))
  const before = useRef<Converted>({ lines: new Map(), discount: null })
  const totals = totalsOf(values, taxes, rules, { ...sense, held })
  const { shares } = totals
  const actions = actionsOf(form, { record, sense, rules, company, customer, shares, before: before.current })
  return {
    items,
    sense,
    rules,
    taxes,
    totals,
    /** False if the customer's treatment allows only prices without tax. */
    mayIncludeTax: mayIncludeTax(rules.treatment),
    /** True if its prices must become net. */
    mustBeNet: values.pricesIncludeTax && !mayIncludeTax(rules.treatment),
    /** True if the customer of the stored document got another treatment after it was saved. */
    isTreatmentChanged: rules.isRetaxed && values.customer === record?.customer,
    ...actions,
  }
}

type NetPricesProps = Pick<ReturnType<typeof useDocumentTax>, "mustBeNet" | "setNet">

/**
 * A document whose customer is no longer domestic is net. This is a component of the form, so that its effect runs before
 * that of the form, which would load a newer version: the old lines must not be written over it.
 */
export function NetPrices({ mustBeNet, setNet }: NetPricesProps) {
  useEffect(() => {
    if (mustBeNet) setNet()
  }, [mustBeNet])
  return null
}

function useTreatment(customer: string, kind: DocumentKind, record: Stored) {
  const { data: chosen } = useRecord("customers", customer)
  // A submitted order keeps its tax as long as it keeps its customer.
  const keepsTax = record?.status === "submitted" && record.customer === customer
  const treatment = (keepsTax ? record.taxTreatment : chosen?.taxTreatment) ?? "domestic"
  const isRetaxed = record !== null && chosen !== undefined && record.taxTreatment !== treatment
  return { treatment, isRetaxed, retaxed: useRetaxed(isRetaxed ? customer : null, kind, record) }
}

/**
 * Asks the server how it would tax the stored lines for another customer, without storing it. Only the server knows
 * which lines were given a tax code of their own.
 */
function useRetaxed(customer: string | null, kind: DocumentKind, record: Stored) {
  const { data } = useQuery({
    queryKey: [kind, record?.id, "retaxed", customer],
    queryFn: async () =>
      (await call<Draft>("PUT", `/${kind}/${record?.id}?dryRun=true`, { body: { customer } })).data,
    enabled: customer !== null && record !== null,
    retry: false,
  })
  return useMemo(() => data && new Map(data.items.map((line) => [line.id, line])), [data]) ?? null
}

type Company = Me["company"]

/** The totals, with the reasons why no tax is charged. */
function totalsOf(
  { items, ...discount }: DocumentValues,
  taxes: readonly LineTax[],
  rules: FormTaxRules,
  { digits, includesTax, held }: FormSense & { held?: ReadonlySet<string> },
) {
  const lines = items.map((line, i) => figuresOf(line, taxes[i] as LineTax, held))
  const sense = { digits, pricesIncludeTax: includesTax, discount: discountForTotals(discount) }
  const totals = plainTotals(lines, sense)
  return { ...totals, taxes: withReasons(totals.taxes, taxes, rules) }
}

/** The prices before they were converted the last time: of the lines, by their keys, and of the discount. */
type Converted = { lines: Map<string, LinePrices>; discount: Conversion | null }

type Now = {
  record: Stored
  sense: FormSense
  rules: FormTaxRules
  company: Company
  customer: Customer | undefined
  shares: PlainTotals["shares"]
  before: Converted
}

/** The changes of a document that also change the rates of its lines and its discount. */
function actionsOf(form: Form, now: Now) {
  const { company } = now
  const { values } = form
  return {
    setIncludesTax: (includesTax: boolean) => form.setValues(pricesIn(includesTax, values, now)),
    setNet: () => form.setValues(pricesIn(false, values, now)),
    /** Another customer replaces the payment terms, the buyer reference and the shipping address with their own. */
    pickCustomer: (next: Customer) => {
      if (next.id === values.customer) return
      const pricesIncludeTax = mayIncludeTax(next.taxTreatment) && wantsTax(next, values, now)
      form.setValues({
        customer: next.id,
        paymentTerms: next.paymentTerms ?? company.defaultPaymentTerms ?? "",
        buyerReference: next.buyerReference ?? "",
        shippingAddress: addressValuesOf(next.shippingAddress),
        ...pricesIn(pricesIncludeTax, values, now),
      })
      form.clearFieldError("customer")
    },
  }
}

/** Returns whether prices of the document include tax if it gets another customer for whom they may. */
function wantsTax(
  next: Customer,
  { pricesIncludeTax }: DocumentValues,
  { record, rules, company, customer }: Now,
): boolean {
  const mayNow = mayIncludeTax(rules.treatment)
  if (record) return mayNow ? pricesIncludeTax : record.pricesIncludeTax
  const usual = (of: Customer | undefined) => of?.pricesIncludeTax ?? company.pricesIncludeTax
  // What the user has switched stays.
  const isUsual = !mayNow || pricesIncludeTax === usual(customer)
  return isUsual ? usual(next) : pricesIncludeTax
}

type Prices = Pick<DocumentValues, "pricesIncludeTax" | "items" | "discountAmount">

/** Returns the prices of a document in a sense. Only domestic sales have tax that the prices include. */
function pricesIn(includesTax: boolean, values: DocumentValues, now: Now): Prices {
  const { pricesIncludeTax, items, discountAmount } = values
  if (includesTax === pricesIncludeTax) return { pricesIncludeTax, items, discountAmount }
  const { record, sense, rules, before, shares } = now
  const isRetaxed = record !== null && !mayIncludeTax(record.taxTreatment)
  const taxed: FormTaxRules = mayIncludeTax(rules.treatment)
    ? rules
    : { ...rules, treatment: "domestic", isRetaxed, retaxed: null }
  const taxes = items.map((line) => taxOfValues(line, taxed))
  const lines = items.map((line, i) => {
    const item = rules.find(line.item)
    const priced = {
      taxRate: taxes[i]?.taxRate ?? 0,
      usualRate: item && usualRateOf(item, { ...sense, includesTax }),
      before: before.lines.get(line.key),
    }
    before.lines.set(line.key, { rate: line.rate, discount: line.isAmount ? line.discount : "" })
    return inOtherSense(line, includesTax, priced, sense.digits)
  })
  const { digits } = sense
  const { amounts } = plainTotals(
    lines.map((line, i) => figuresOf(line, taxes[i] as LineTax)),
    { digits, pricesIncludeTax: includesTax },
  )
  const discount = discountInOtherSense(discountAmount, {
    addsTax: includesTax,
    shares: shares.map(({ documentDiscount }) => documentDiscount),
    taxRates: taxes.map(({ taxRate }) => taxRate),
    full: amounts.reduce((sum, amount) => sum + amount, 0),
    digits,
    before: before.discount,
  })
  before.discount = { from: discountAmount, to: discount }
  return { pricesIncludeTax: includesTax, items: lines, discountAmount: discount }
}
