import { Grid, Paper, SimpleGrid, Textarea, Title } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { ReactNode } from "react"
import { useMe } from "../api/hooks"
import type { Customer } from "../api/types"
import { digitsOf } from "../format"
import { t } from "../texts"
import { CustomerField } from "./customer-field"
import { LineEditor } from "./line-editor"
import { figuresOf, type LineValues } from "./line-values"
import { TermsInput } from "./terms-input"
import { plainTotals } from "../../../shared/totals"
import { TotalsBox } from "./totals-box"

/** The form values that orders and invoices share. */
export type DocumentValues = { customer: string; paymentTerms: string; notes: string; items: LineValues[] }

type Props = {
  /** A form with these values and possibly more. The library's form type cannot express this. */
  form: unknown
  /** The customer's name to show until the customer is loaded. */
  customerName: string
  isNew: boolean
  /** The date inputs. */
  dates: ReactNode
}

/** The inputs of an order or an invoice: customer, dates, lines, notes and totals. */
export function DocumentFields({ form: given, customerName, isNew, dates }: Props) {
  const form = given as UseFormReturnType<DocumentValues>
  const { currency } = useMe().company
  const totals = plainTotals(form.values.items.map(figuresOf), digitsOf(currency))
  return (
    <>
      <Paper withBorder p="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <CustomerAndTerms form={form} name={customerName} total={totals.total} isNew={isNew} />
          {dates}
        </SimpleGrid>
      </Paper>
      <Paper withBorder p="md">
        <Title order={2} size="h4" mb="sm">
          {t(($) => $.documents.lines)}
        </Title>
        <LineEditor form={form} totals={totals} />
      </Paper>
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
          <TotalsBox currency={currency} {...totals} />
        </Grid.Col>
      </Grid>
    </>
  )
}

type CustomerAndTermsProps = {
  form: UseFormReturnType<DocumentValues>
  name: string
  total: number
  isNew: boolean
}

/** The customer and the payment terms. Another customer replaces the payment terms with their own. */
function CustomerAndTerms({ form, name, total, isNew }: CustomerAndTermsProps) {
  const { customer } = form.values
  const pick = ({ id, paymentTerms }: Customer) => {
    if (id === customer) return
    form.setFieldValue("customer", id)
    form.setFieldValue("paymentTerms", paymentTerms ?? "")
  }
  return (
    <>
      <CustomerField
        value={customer}
        name={name}
        onPick={pick}
        error={form.errors["customer"]}
        total={total}
        autoFocus={isNew && customer === ""}
      />
      <TermsInput customer={customer} {...form.getInputProps("paymentTerms")} />
    </>
  )
}
