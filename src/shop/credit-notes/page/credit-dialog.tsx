import { Button, Group, SimpleGrid, Switch, Text, Textarea } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useMe } from "../../../console/api/hooks"
import type { CreditNote, Invoice } from "../../../console/api/types"
import { DayInput } from "../../../console/forms/day-input"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"
import { CreditLines } from "./credit-lines"
import { CreditTotal } from "./credit-total"
import { allOf, bodyOf, chosenOf, fieldOf, noneOf, openLines, type CreditValues } from "./credit-values"

type Props = { invoice: Invoice; onClose: () => void }
type Form = UseFormReturnType<CreditValues>

/** Credits an issued invoice: all that is left of it, or quantities and amounts of its lines. */
export function CreditDialog({ invoice, onClose }: Props) {
  const state = useCredit({ invoice, onClose })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.creditNotes.creditInvoice, { number: invoice.invoiceNumber ?? "" })}
      state={state}
      submit={t(($) => $.creditNotes.issue)}
      onClose={onClose}
      size="xl"
    >
      <Textarea
        label={t(($) => $.fields.reason)}
        description={t(($) => $.creditNotes.reasonHint)}
        required
        maxLength={500}
        autosize
        minRows={1}
        maxRows={6}
        data-autofocus
        {...form.getInputProps("reason")}
      />
      <HeadFields form={form} hasGoods={invoice.items.some(({ item }) => item !== null)} />
      <Shortcuts form={form} invoice={invoice} />
      <CreditLines invoice={invoice} form={form} />
      <CreditTotal
        invoice={invoice}
        body={chosenOf(form.values).length > 0 ? bodyOf(invoice, form.values) : null}
      />
    </FormDialog>
  )
}

const HeadFields = ({ form, hasGoods }: { form: Form; hasGoods: boolean }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    <DayInput label={t(($) => $.fields.creditNoteDate)} required {...form.getInputProps("creditNoteDate")} />
    {hasGoods && (
      <Switch
        style={{ alignSelf: "end" }}
        label={t(($) => $.creditNotes.restock)}
        description={t(($) => $.creditNotes.restockHint)}
        {...form.getInputProps("restock", { type: "checkbox" })}
      />
    )}
  </SimpleGrid>
)

/** Sets all lines at once, and says what the amounts include. */
const Shortcuts = ({ form, invoice }: { form: Form; invoice: Invoice }) => (
  <Group gap="xs">
    <Button
      variant="default"
      size="xs"
      onClick={() => form.setFieldValue("credits", allOf(openLines(invoice), invoice.currency))}
    >
      {t(($) => $.creditNotes.all)}
    </Button>
    <Button
      variant="default"
      size="xs"
      onClick={() => form.setFieldValue("credits", noneOf(form.values.credits))}
    >
      {t(($) => $.creditNotes.none)}
    </Button>
    <Text size="sm" c="dimmed">
      {t(($) => (invoice.pricesIncludeTax ? $.creditNotes.amountsIncludeTax : $.creditNotes.amountsAreNet))}
    </Text>
  </Group>
)

function useCredit({ invoice, onClose }: Props) {
  const { today } = useMe().company
  const { id, invoiceDate, currency } = invoice
  return useCreateForm<CreditNote, CreditValues>({
    path: `/invoices/${id}/credit-notes`,
    initialValues: {
      reason: "",
      creditNoteDate: invoiceDate > today ? invoiceDate : today,
      restock: false,
      credits: allOf(openLines(invoice), currency),
    },
    bodyOf: (values) => bodyOf(invoice, values),
    check: (values) => (chosenOf(values).length === 0 ? t(($) => $.creditNotes.noneChosen) : null),
    fieldOf,
    onCreated: ({ creditNoteNumber }) => {
      tellDone(t(($) => $.creditNotes.wasIssued, { number: creditNoteNumber }))
      onClose()
    },
  })
}
