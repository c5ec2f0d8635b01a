import { Alert, Grid, Group, Paper, SimpleGrid, Switch, Textarea, Title } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { ReactNode } from "react"
import { useMe } from "../../console/api/hooks"
import type { TaxTreatment } from "../../shared/tax"
import { t } from "../../console/texts"
import { CustomerField } from "./customer-field"
import { DocumentDetails } from "./document-details"
import type { DocumentValues, Draft } from "./document-values"
import { LineEditor } from "./line-editor"
import { TermsInput } from "./terms-input"
import { TotalsBox } from "./totals-box"
import { useDocumentTax } from "./use-document-tax"
import type { DocumentKind } from "./use-steps"

type Props = {
  /** A form with these values and possibly more. The library's form type cannot express this. */
  form: unknown
  kind: DocumentKind
  /** The stored document; null for a new one. */
  record: Draft | null
  /** The customer's name to show until the customer is loaded. */
  customerName: string
  /** The date inputs. */
  dates: ReactNode
  /** The input of the supply date, if the document has one. */
  supplyDate?: ReactNode
}

/** The inputs of an order or an invoice: customer, dates, lines, notes and totals. */
export function DocumentFields({ form: given, kind, record, customerName, dates, supplyDate }: Props) {
  const form = given as UseFormReturnType<DocumentValues>
  const tax = useDocumentTax(form, kind, record)
  const { customer } = form.values
  return (
    <>
      {tax.isTreatmentChanged && <TreatmentAlert treatment={tax.taxation.treatment} />}
      <Paper withBorder p="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <CustomerField
            value={customer}
            name={customerName}
            onPick={tax.pickCustomer}
            error={form.errors["customer"]}
            total={tax.totals.total}
            autoFocus={!record && customer === ""}
          />
          <TermsInput customer={customer} isNew={record === null} {...form.getInputProps("paymentTerms")} />
          {dates}
        </SimpleGrid>
        <DocumentDetails form={form} supplyDate={supplyDate} />
      </Paper>
      <Lines form={form} tax={tax} />
      <NotesAndTotals form={form} tax={tax} />
    </>
  )
}

/** The customer got another tax treatment after the document was saved. */
const TreatmentAlert = ({ treatment }: { treatment: TaxTreatment }) => (
  <Alert color="yellow">
    {t(($) => $.documents.treatmentChanged, { treatment: t(($) => $.values.taxTreatment[treatment]) })}
  </Alert>
)

type TaxedProps = {
  form: UseFormReturnType<DocumentValues>
  tax: ReturnType<typeof useDocumentTax>
}

function NotesAndTotals({ form, tax }: TaxedProps) {
  const { currency } = useMe().company
  return (
    <Grid>
      <Grid.Col span={{ base: 12, sm: 7 }}>
        <Textarea
          label={t(($) => $.fields.notes)}
          autosize
          minRows={4}
          maxRows={16}
          {...form.getInputProps("notes")}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 5 }}>
        <TotalsBox currency={currency} {...tax.totals} pricesIncludeTax={form.values.pricesIncludeTax} />
      </Grid.Col>
    </Grid>
  )
}

const Lines = ({ form, tax }: TaxedProps) => (
  <Paper withBorder p="md">
    <Group justify="space-between" mb="sm">
      <Title order={2} size="h4">
        {t(($) => $.documents.lines)}
      </Title>
      <PriceSwitch form={form} tax={tax} />
    </Group>
    <LineEditor form={form} tax={tax} />
  </Paper>
)

/** Whether the typed prices include tax. Only domestic sales have tax that prices can include. */
const PriceSwitch = ({ form, tax }: TaxedProps) => (
  <Switch
    label={t(($) => $.documents.pricesIncludeTax)}
    description={tax.mayIncludeTax ? undefined : t(($) => $.documents.pricesAreNet)}
    disabled={!tax.mayIncludeTax && !form.values.pricesIncludeTax}
    checked={form.values.pricesIncludeTax}
    error={form.errors["pricesIncludeTax"]}
    onChange={({ currentTarget }) => tax.setIncludesTax(currentTarget.checked)}
  />
)
