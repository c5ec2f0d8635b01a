import type { UseFormReturnType } from "@mantine/form"
import type { ReactNode } from "react"
import { useMe, useRecord } from "../../../console/api/hooks"
import type { OrderLine } from "../../../console/api/types"
import { RecordForm, useWantedField } from "../../../console/forms/record-form"
import type { Values } from "../../../console/forms/body"
import { BusyButton } from "../../../console/parts/busy-button"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { describeDocument } from "../describe"
import { type DocumentValues, type DraftOptions, useDraft } from "./use-draft"
import type { DocumentKind } from "../use-steps"
import {
  Alert,
  Grid,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core"
import type { TaxTreatment } from "../../../shared/documents/tax"
import { CustomerField } from "../pickers/customer-field"
import { TermsNote } from "../pickers/terms-note"
import { LineEditor } from "../lines/line-editor"
import { DiscountField } from "../lines/line-inputs"
import { inOtherForm } from "./document-discount"
import { TotalsBox } from "../view/totals-box"
import { NetPrices, useDocumentTax } from "./use-document-tax"
import { SuggestInput } from "../../../console/forms/search-select"
import { paymentTerms } from "../suggestions"
import { Fold } from "../../../console/forms/fold"
import { AddressFields } from "../../../console/forms/address-fields"
import { addressLines } from "../view/parties"

type Form<V = unknown> = UseFormReturnType<DocumentValues & V>

type Props<K extends DocumentKind, V extends Values> = DraftOptions<K, V> & {
  /** The date inputs. */
  dates: (form: Form<V>) => ReactNode
  /** The input of the supply date, if the document has one. */
  supplyDate?: (form: Form<V>) => ReactNode
  /** The inputs below the notes that only this kind has. */
  texts?: (form: Form<V>) => ReactNode
  /** The label of the button that finalizes the document; null if that is not possible. */
  finalizeLabel: string | null
  /** The label of the button that saves, if what is saved is no draft. */
  saveLabel?: string
  /** Leaves the form without saving. */
  onCancel?: () => void
  /** Why the customer and the sense of the prices are fixed, as some lines are. */
  heldReason?: string
  /** The stored lines of a submitted order: it has reserved stock, and its total counts against the credit limit. */
  reserved?: readonly OrderLine[]
}

/** Edits and finalizes a draft order or invoice: customer, dates, lines, notes and totals. */
export function DraftEditor<K extends DocumentKind, V extends Values>(props: Props<K, V>) {
  const { kind, record, customer, copied, dates, supplyDate, texts, finalizeLabel, saveLabel } = props
  const { held, heldReason, onCancel } = props
  const state = useDraft(props)
  const form = state.form as unknown as UseFormReturnType<DocumentValues>
  const tax = useDocumentTax(form, kind, record, held)
  const { data: typed } = useRecord("customers", form.values.customer)
  const asTyped = { ...form.values, customerName: typed?.name ?? "" }
  return (
    <RecordForm
      state={state}
      submit={saveLabel ?? t(($) => $.documents.saveDraft)}
      isMain={finalizeLabel === null}
      onCancel={onCancel}
      describe={describeDocument(record, state.conflict?.theirs ?? null, asTyped)}
      actions={
        finalizeLabel !== null && (
          <BusyButton isBusy={state.isFinalizing} onClick={state.saveAndFinalize}>
            {finalizeLabel}
          </BusyButton>
        )
      }
    >
      <NetPrices {...tax} />
      {tax.isTreatmentChanged && <TreatmentAlert treatment={tax.rules.treatment} />}
      {heldReason && <Alert color="blue">{heldReason}</Alert>}
      <Paper withBorder p="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <CustomerField
            isFixed={heldReason !== undefined}
            value={form.values.customer}
            name={record?.customerName ?? copied?.customerName ?? customer?.name ?? ""}
            onPick={tax.pickCustomer}
            error={form.errors["customer"]}
            total={tax.totals.total - (props.reserved ? (record?.total ?? 0) : 0)}
            autoFocus={!record && form.values.customer === ""}
          />
          <TermsInput
            customer={form.values.customer}
            isNew={record === null}
            {...form.getInputProps("paymentTerms")}
          />
          {dates(state.form)}
        </SimpleGrid>
        <DocumentDetails form={form} supplyDate={supplyDate?.(state.form)} />
      </Paper>
      <Lines form={form} tax={tax} held={held} reserved={props.reserved} />
      <NotesAndTotals form={form} tax={tax} texts={texts?.(state.form)} />
    </RecordForm>
  )
}

/** The customer got another tax treatment after the document was saved. */
const TreatmentAlert = ({ treatment }: { treatment: TaxTreatment }) => (
  <Alert color="yellow">
    {t(($) => $.documents.treatmentChanged, { treatment: common(($) => $.values.taxTreatment[treatment]) })}
  </Alert>
)

type TaxedProps = {
  form: UseFormReturnType<DocumentValues>
  tax: ReturnType<typeof useDocumentTax>
}

function NotesAndTotals({ form, tax, texts }: TaxedProps & { texts: ReactNode }) {
  const { currency } = useMe().company
  return (
    <Grid>
      <Grid.Col span={{ base: 12, sm: 7 }}>
        <Stack gap="sm">
          <Textarea
            label={common(($) => $.fields.notes)}
            description={t(($) => $.documents.notesHint)}
            autosize
            minRows={4}
            maxRows={16}
            {...form.getInputProps("notes")}
          />
          {texts}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 5 }}>
        <Stack gap="sm">
          <DiscountInput form={form} tax={tax} />
          <TotalsBox
            currency={currency}
            {...tax.totals}
            pricesIncludeTax={form.values.pricesIncludeTax}
            isDiscountAmount={form.values.isDiscountAmount}
          />
        </Stack>
      </Grid.Col>
    </Grid>
  )
}

/** The discount on the whole document, with a button that switches between a percentage and an amount. */
function DiscountInput({ form, tax }: TaxedProps) {
  const { currency } = useMe().company
  const { isDiscountAmount } = form.values
  const name = isDiscountAmount ? "discountAmount" : "discount"
  const { onChange } = form.getInputProps(name)
  return (
    <DiscountField
      key={name}
      label={t(($) => $.documents[isDiscountAmount ? "wholeDiscountAmount" : "wholeDiscount"])}
      value={form.values[name]}
      onChange={onChange}
      error={form.errors["discountAmount"] ?? form.errors["discount"]}
      isAmount={isDiscountAmount}
      currency={currency}
      switchLabel={t(($) => $.documents[isDiscountAmount ? "wholeAsPercentage" : "wholeAsAmount"])}
      onSwitch={() => form.setValues(inOtherForm(form.values, tax.totals))}
    />
  )
}

type LinesProps = TaxedProps & { held?: ReadonlySet<string>; reserved?: readonly OrderLine[] }

const Lines = ({ form, tax, held, reserved }: LinesProps) => (
  <Paper withBorder p="md">
    <Group justify="space-between" mb="sm">
      <Title order={2} size="h4">
        {t(($) => $.documents.lines)}
      </Title>
      <PriceSwitch form={form} tax={tax} isFixed={held !== undefined} />
    </Group>
    <LineEditor form={form} tax={tax} held={held} reserved={reserved} />
  </Paper>
)

/** Whether the typed prices include tax. Only domestic sales have tax that prices can include. */
const PriceSwitch = ({ form, tax, isFixed }: TaxedProps & { isFixed: boolean }) => (
  <Switch
    label={t(($) => $.documents.pricesIncludeTax)}
    description={tax.mayIncludeTax ? undefined : t(($) => $.documents.pricesAreNet)}
    disabled={isFixed || (!tax.mayIncludeTax && !form.values.pricesIncludeTax)}
    checked={form.values.pricesIncludeTax}
    error={form.errors["pricesIncludeTax"]}
    onChange={({ currentTarget }) => tax.setIncludesTax(currentTarget.checked)}
  />
)

type TermsInputProps = {
  customer: string
  /** True for a new document. The server gives it the usual terms if the field is empty. */
  isNew: boolean
  value?: string
  onChange: (value: string) => void
  error?: ReactNode
}

/** The payment terms. The customer's own terms are the first option. */
function TermsInput({ customer, isNew, ...props }: TermsInputProps) {
  const { defaultPaymentTerms } = useMe().company
  const { data } = useRecord("customers", customer)
  const own = data?.paymentTerms
  const usual = own ?? defaultPaymentTerms ?? ""
  return (
    <div>
      <SuggestInput
        label={common(($) => $.fields.paymentTerms)}
        placeholder={(isNew && usual) || t(($) => $.documents.noTerms)}
        data={own ? [own, ...paymentTerms.filter((terms) => terms !== own)] : paymentTerms}
        maxLength={64}
        {...props}
      />
      <TermsNote terms={props.value || (isNew ? usual : "")} />
    </div>
  )
}

type DocumentDetailsProps = { form: UseFormReturnType<DocumentValues>; supplyDate?: ReactNode }

/** The inputs that few documents need. They are shown on request, or if one of them has an error or is named by the URL. */
function DocumentDetails({ form, supplyDate }: DocumentDetailsProps) {
  const field = useWantedField() ?? ""
  return (
    <Fold
      label={t(($) => $.documents.more)}
      inShort={inShort(form.values)}
      mustShow={Object.keys(form.errors).some((field) => detail.test(field))}
      isNamed={detail.test(field)}
    >
      <DetailFields form={form} supplyDate={supplyDate} />
    </Fold>
  )
}

/** Without a reference of its own, an invoice gets that of its customer. */
function DetailFields({ form, supplyDate }: DocumentDetailsProps) {
  const { data } = useRecord("customers", form.values.customer)
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {supplyDate}
        <TextInput
          label={common(($) => $.fields.buyerReference)}
          description={t(($) => $.documents.buyerReferenceHint)}
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder={data?.buyerReference ?? undefined}
          maxLength={100}
          {...form.getInputProps("buyerReference")}
        />
      </SimpleGrid>
      <AddressFields legend={common(($) => $.fields.shippingAddress)} name="shippingAddress" form={form} />
    </>
  )
}

const detail = /^(supplyDate|buyerReference|shippingAddress)\b/

const inShort = ({ buyerReference, shippingAddress }: DocumentValues): string =>
  [buyerReference, addressLines(shippingAddress).join(", ")].filter(Boolean).join(" · ")
