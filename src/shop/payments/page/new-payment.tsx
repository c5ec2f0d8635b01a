import { Paper, SimpleGrid } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useMe, useRecord } from "../../../console/api/hooks"
import type { Customer } from "../../../console/api/types"
import { MoneyField } from "../../../console/forms/money-field"
import { RecordForm } from "../../../console/forms/record-form"
import { money } from "../../../console/format"
import { Loaded } from "../../../console/parts/loaded"
import { t } from "../../../console/texts"
import { AllocationLines } from "./allocation-lines"
import { hintBelow, PaymentFields } from "./payment-fields"
import { PayingCustomer } from "./paying-customer"
import { useNewPayment, type Values } from "./use-new-payment"

/** The form of a payment that can pay several invoices of a customer. */
export function NewPayment({ customer }: { customer: Customer | null }) {
  const { state, open, lines } = useNewPayment(customer)
  const { form } = state
  const { data: paying } = useRecord("customers", form.values.customer)
  return (
    <Paper withBorder p="md" maw={760}>
      <RecordForm state={state} submit={t(($) => $.payments.record)}>
        <PayingCustomer
          value={form.values.customer}
          error={form.errors["customer"]}
          autoFocus={customer === null}
          onPick={({ id }) => form.setValues({ customer: id, allocations: {} })}
        />
        <Fields form={form} hasFocus={customer !== null} outstanding={paying?.outstandingBalance} />
        {form.values.customer !== "" && (
          <Loaded query={open}>
            {() => <AllocationLines form={form} lines={lines} customerName={paying?.name ?? ""} />}
          </Loaded>
        )}
      </RecordForm>
    </Paper>
  )
}

type FieldsProps = { form: UseFormReturnType<Values>; hasFocus: boolean; outstanding: number | undefined }

function Fields({ form, hasFocus, outstanding }: FieldsProps) {
  const { currency } = useMe().company
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <MoneyField
        label={t(($) => $.fields.amount)}
        required
        autoFocus={hasFocus}
        inputWrapperOrder={hintBelow}
        description={
          outstanding !== undefined && t(($) => $.payments.openOf, { amount: money(outstanding, currency) })
        }
        {...form.getInputProps("amount")}
      />
      <PaymentFields day="paymentDate" isGrid getInputProps={form.getInputProps} />
    </SimpleGrid>
  )
}
