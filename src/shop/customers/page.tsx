import { termsOf } from "../../trade/page/in-words"
import { Button, Fieldset, Select, SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useState } from "react"
import { Link } from "wouter"
import { useMay, useMe } from "../../console/api/hooks"
import type { Customer, Me } from "../../console/api/types"
import { AddressFields, addressValuesOf } from "../../console/forms/address-fields"
import { emptyAsNull } from "../../console/forms/body"
import { MoneyField } from "../../console/forms/number-field"
import { SuggestInput } from "../../console/forms/search-select"
import { money } from "../../console/format"
import { useActiveBulk } from "../../console/lists/active-bulk"
import { activeFilter, optionsOf, valuesFilter } from "../../console/lists/filters"
import { RecordList } from "../../console/lists/record-list"
import { IconPlus } from "../../console/parts/icons"
import { t as common } from "../../console/texts"
import { mayIncludeTax } from "../../shared/documents/line"
import { languages } from "../../shared/languages"
import { creditLimitRoles } from "../../shared/rights"
import { customerTypes } from "../../shared/suggestions"
import { type TaxTreatment, taxTreatments } from "../../shared/documents/tax"
import { columnsOf } from "../../trade/page/columns"
import { kindPage } from "../../trade/page/kind-page"
import { TreatmentProposal, typedCountry, VatIdNote } from "../../trade/page/pickers/tax-proposal"
import { TermsNote } from "../../trade/page/pickers/terms-note"
import { paymentTerms } from "../../trade/page/suggestions"
import { t as paymentTexts } from "../payments/page/texts"
import { t as orderTexts } from "../sales-orders/page/texts"
import { Documents } from "./documents"
import { PossibleDuplicates } from "../../trade/page/pickers/possible-duplicates"
import { fieldName } from "../../console/texts/fields"
import { MergedNote, useMerge } from "./page/merge-dialog"
import { t } from "./texts"

/** The suggested types: the stored words of the API, and their names in the user's language. Other texts are allowed. */
const typeNames: Record<string, string> = common(($) => $.values.customerType, { returnObjects: true })

const typeInWords = (stored: string): string => typeNames[stored] ?? stored

const storedType = (typed: string): string =>
  Object.keys(typeNames).find((stored) => typeNames[stored] === typed.trim()) ?? typed

const filters = [
  activeFilter,
  {
    key: "type",
    label: common(($) => $.common.type),
    options: optionsOf(customerTypes, typeInWords),
  },
  valuesFilter("customers", "country"),
]

const treatmentName = (treatment: TaxTreatment) => common(($) => $.values.taxTreatment[treatment])

const columns = columnsOf(
  "customers",
  [
    { key: "customerNumber", title: common(($) => $.common.number) },
    "name",
    "email",
    "phone",
    {
      key: "address",
      title: common(($) => $.fields.city),
      sorts: false,
      isExtra: true,
      show: ({ address }) => address?.city ?? "–",
    },
    { key: "outstandingBalance", title: t(($) => $.outstanding), as: "money", hasSum: true },
    { key: "openOrdersValue", title: t(($) => $.openOrders), as: "money", hasSum: true },
    "status",
  ],
  [
    { key: "type", show: ({ type }) => typeInWords(type) },
    { key: "creditLimit", as: "money" },
    { key: "paymentTerms", show: ({ paymentTerms }) => termsOf(paymentTerms) },
    "contactName",
    { key: "taxTreatment", show: ({ taxTreatment }) => treatmentName(taxTreatment) },
    "taxId",
  ],
)

export function List() {
  const mayWrite = useMay()("customers", "write")
  const { currency } = useMe().company
  const bulk = useActiveBulk("customers")
  return (
    <RecordList
      kind="customers"
      title={common(($) => $.kinds.customers.title)}
      columns={columns}
      phone={{
        title: "name",
        amount: ({ outstandingBalance }) => money(outstandingBalance, currency),
        line: ["customerNumber", "status", "email"],
      }}
      filters={filters}
      sort={{ key: "name", order: "asc" }}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/customers/${id}`}
      create={mayWrite && { label: t(($) => $.new), href: "/customers/new" }}
      imports="customers"
      bulk={bulk}
      bulkFields={["id", "version", "name", "isActive"]}
      intro={t(($) => $.intro)}
    />
  )
}

const languageChoices = [
  { value: "", label: t(($) => $.companyLanguage) },
  ...languages.map((value) => ({ value, label: common(($) => $.values.language[value]) })),
]

/** A new customer is probably in the country of the company. */
const valuesOf = (customer: Customer | null, { country }: Pick<Me["company"], "country">) => ({
  name: customer?.name ?? "",
  type: typeInWords(customer?.type ?? "Company"),
  email: customer?.email ?? "",
  invoiceEmail: customer?.invoiceEmail ?? "",
  phone: customer?.phone ?? "",
  contactName: customer?.contactName ?? "",
  language: customer?.language ?? "",
  taxId: customer?.taxId ?? "",
  taxTreatment: customer?.taxTreatment ?? "domestic",
  taxReason: customer?.taxReason ?? "",
  pricesIncludeTax: String(customer?.pricesIncludeTax ?? ""),
  paymentTerms: customer?.paymentTerms ?? "",
  creditLimit: customer?.creditLimit ?? "",
  buyerReference: customer?.buyerReference ?? "",
  address: customer ? addressValuesOf(customer.address) : { ...addressValuesOf(null), country },
  shippingAddress: addressValuesOf(customer?.shippingAddress),
  notes: customer?.notes ?? "",
  isActive: customer?.isActive ?? true,
})

type Values = ReturnType<typeof valuesOf>

/** Prices of a customer whose sales are not taxed include no tax. */
function pricesOf({ pricesIncludeTax, taxTreatment }: Values): boolean | null {
  if (pricesIncludeTax === "" || (pricesIncludeTax === "true" && !mayIncludeTax(taxTreatment))) return null
  return pricesIncludeTax === "true"
}

type Form = UseFormReturnType<Values>

const bodyOf = (values: Values) => ({
  ...emptyAsNull(values),
  type: storedType(values.type) || null,
  pricesIncludeTax: pricesOf(values),
})

export const Record = kindPage({
  kind: "customers",
  texts: { new: t(($) => $.new), create: t(($) => $.create), onlyFor: t(($) => $.onlyFor) },
  nameOf: ({ name }) => name,
  valuesOf,
  bodyOf,
  facts(customer, { currency }) {
    const {
      customerNumber,
      outstandingBalance,
      creditBalance,
      openOrdersValue,
      creditAvailable,
      taxTreatment,
    } = customer
    const credit = creditAvailable === null ? t(($) => $.noLimit) : money(creditAvailable, currency)
    return [
      { label: common(($) => $.common.number), value: customerNumber },
      {
        label: common(($) => $.fields.outstandingBalance),
        value: money(outstandingBalance, currency),
        isStrong: true,
      },
      ...(creditBalance > 0
        ? [{ label: common(($) => $.fields.creditBalance), value: money(creditBalance, currency) }]
        : []),
      { label: t(($) => $.openOrders), value: money(openOrdersValue, currency) },
      { label: t(($) => $.availableCredit), value: credit },
      ...(taxTreatment === "domestic"
        ? []
        : [{ label: t(($) => $.tax), value: treatmentName(taxTreatment) }]),
    ]
  },
  actions: (customer) => <Actions customer={customer} />,
  hasMainAction: true,
  useAction: useMerge,
  isDeletable: ({ mergedInto }) => mergedInto === null,
  aside: (customer) => <Documents customer={customer} />,
  fields: (form, customer, isReadOnly) => (
    <>
      {customer?.mergedInto && <MergedNote into={customer.mergedInto} />}
      <div>
        <MainFields form={form} isNew={!customer} />
        {!customer && <PossibleDuplicates values={form.values} below="name" />}
      </div>
      <TaxFieldset form={form} />
      <div>
        <AddressFields
          form={form}
          name="address"
          legend={common(($) => $.fields.address)}
          isReadOnly={isReadOnly}
        />
        {!customer && <PossibleDuplicates values={form.values} below="address" />}
      </div>
      <ShippingFields form={form} isReadOnly={isReadOnly} />
      <Textarea
        label={common(($) => $.fields.notes)}
        description={t(($) => $.notesHint)}
        autosize
        minRows={2}
        maxRows={12}
        {...form.getInputProps("notes")}
      />
      {!customer?.mergedInto && (
        <Switch
          label={common(($) => $.values.status.active)}
          description={t(($) => $.activeHint)}
          {...form.getInputProps("isActive", { type: "checkbox" })}
        />
      )}
    </>
  ),
})

/** An order is the main action on an active customer. An inactive one can still pay. */
function Actions({ customer: { id, isActive, mergedInto } }: { customer: Customer }) {
  const may = useMay()
  if (mergedInto !== null) return null
  return (
    <>
      {may("invoices", "write") && (
        <Button component={Link} href={`/payments/new?customer=${id}`} variant="default">
          {paymentTexts(($) => $.record)}
        </Button>
      )}
      {isActive && may("sales-orders", "write") && (
        <Button component={Link} href={`/orders/new?customer=${id}`} leftSection={<IconPlus size={16} />}>
          {orderTexts(($) => $.new)}
        </Button>
      )}
    </>
  )
}

function MainFields({ form, isNew }: { form: Form; isNew: boolean }) {
  const { role } = useMe()
  // Every role that may create customers may set the limit on create. Only these roles may update it.
  const maySetLimit = isNew || creditLimitRoles.includes(role)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={common(($) => $.common.name)}
        required
        autoFocus={isNew}
        {...form.getInputProps("name")}
      />
      <SuggestInput
        label={common(($) => $.common.type)}
        data={Object.values(typeNames)}
        {...form.getInputProps("type")}
      />
      <TextInput label={common(($) => $.fields.contactName)} {...form.getInputProps("contactName")} />
      <Select
        label={t(($) => $.language)}
        data={languageChoices}
        allowDeselect={false}
        {...form.getInputProps("language")}
      />
      <TextInput label={common(($) => $.common.email)} type="email" {...form.getInputProps("email")} />
      <TextInput label={common(($) => $.fields.phone)} type="tel" {...form.getInputProps("phone")} />
      <TextInput
        label={fieldName("invoiceEmail", { of: "customers" })}
        description={t(($) => $.invoiceEmailHint)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        type="email"
        {...form.getInputProps("invoiceEmail")}
      />
      <TextInput
        label={common(($) => $.fields.buyerReference)}
        description={t(($) => $.buyerReferenceHint)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        maxLength={100}
        {...form.getInputProps("buyerReference")}
      />
      <div>
        <SuggestInput
          label={common(($) => $.fields.paymentTerms)}
          description={t(($) => $.paymentTermsHint)}
          data={paymentTerms}
          {...form.getInputProps("paymentTerms")}
        />
        <TermsNote terms={form.values.paymentTerms} />
      </div>
      <MoneyField
        label={common(($) => $.fields.creditLimit)}
        description={maySetLimit ? t(($) => $.creditLimitHint) : t(($) => $.creditLimitFixed)}
        disabled={!maySetLimit}
        {...form.getInputProps("creditLimit")}
      />
    </SimpleGrid>
  )
}

const treatments = optionsOf(taxTreatments, treatmentName)

/** How sales to the customer are taxed. */
function TaxFieldset({ form }: { form: Form }) {
  const { taxTreatment, taxId, address, shippingAddress } = form.values
  const country = typedCountry(address, useMe().company.country)
  return (
    <Fieldset legend={t(($) => $.tax)}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={common(($) => $.fields.taxTreatment)}
          description={common(($) => $.values.taxTreatmentMeaning[taxTreatment])}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={treatments}
          allowDeselect={false}
          {...form.getInputProps("taxTreatment")}
        />
        <div>
          <TextInput label={common(($) => $.common.taxId)} {...form.getInputProps("taxId")} />
          <VatIdNote taxId={taxId} country={country} onTaxId={(next) => form.setFieldValue("taxId", next)} />
        </div>
        {mayIncludeTax(taxTreatment) && <PricesInput form={form} />}
      </SimpleGrid>
      <TreatmentProposal
        taxId={taxId}
        country={country}
        shipsTo={shippingAddress.country}
        taxTreatment={taxTreatment}
        onAccept={(next) => form.setFieldValue("taxTreatment", next)}
      />
      {taxTreatment === "exempt" && (
        <Textarea
          label={common(($) => $.fields.taxReason)}
          description={t(($) => $.taxReasonHint)}
          mt="md"
          required
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps("taxReason")}
        />
      )}
    </Fieldset>
  )
}

/** Whether prices of new orders and invoices include tax. */
function PricesInput({ form }: { form: Form }) {
  const { pricesIncludeTax } = useMe().company
  const usual = pricesIncludeTax ? t(($) => $.companyGross) : t(($) => $.companyNet)
  return (
    <Select
      label={t(($) => $.prices)}
      description={t(($) => $.pricesHint)}
      inputWrapperOrder={["label", "input", "description", "error"]}
      data={[
        { value: "", label: usual },
        { value: "false", label: t(($) => $.net) },
        { value: "true", label: t(($) => $.gross) },
      ]}
      allowDeselect={false}
      {...form.getInputProps("pricesIncludeTax")}
    />
  )
}

/** The shipping address, if it differs from the address. */
function ShippingFields({ form, isReadOnly }: { form: Form; isReadOnly: boolean }) {
  const hasOne = Object.values(form.values.shippingAddress).some(Boolean)
  const [isWanted, setWanted] = useState(hasOne)
  const isShown = isWanted || hasOne
  return (
    <>
      <Switch
        label={t(($) => $.shipsElsewhere)}
        checked={isShown}
        onChange={({ currentTarget: { checked } }) => {
          setWanted(checked)
          if (!checked) form.setFieldValue("shippingAddress", addressValuesOf(null))
        }}
      />
      {isShown && (
        <AddressFields
          form={form}
          name="shippingAddress"
          legend={common(($) => $.fields.shippingAddress)}
          isReadOnly={isReadOnly}
        />
      )}
    </>
  )
}
