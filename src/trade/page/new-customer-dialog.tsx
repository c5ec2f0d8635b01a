import { TextInput } from "@mantine/core"
import type { Customer } from "../../console/api/types"
import { useCreateForm } from "../../console/forms/use-create-form"
import { FormDialog } from "../../console/parts/form-dialog"
import { tellDone } from "../../console/parts/tell"
import { t } from "../../console/texts"
import type { NewRecordProps } from "./record-picker"

/** Creates a customer without leaving the document. */
export function NewCustomerDialog({ typed, onCreated, onClose }: NewRecordProps<Customer>) {
  const state = useCreateForm<Customer, { name: string; email: string; phone: string }>({
    path: "/customers",
    initialValues: { name: typed, email: "", phone: "" },
    onCreated: (customer) => {
      tellDone(t(($) => $.common.saved, { name: customer.name }))
      onCreated(customer)
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.customers.new)}
      state={state}
      submit={t(($) => $.customers.create)}
      onClose={onClose}
      size="md"
    >
      <TextInput label={t(($) => $.common.name)} required data-autofocus {...form.getInputProps("name")} />
      <TextInput label={t(($) => $.common.email)} type="email" {...form.getInputProps("email")} />
      <TextInput label={t(($) => $.fields.phone)} type="tel" {...form.getInputProps("phone")} />
    </FormDialog>
  )
}
