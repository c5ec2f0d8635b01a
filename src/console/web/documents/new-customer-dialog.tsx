import { TextInput } from "@mantine/core"
import type { Customer } from "../api/types"
import { useCreateForm } from "../forms/use-create-form"
import { FormDialog } from "../parts/form-dialog"
import { tellDone } from "../parts/tell"
import type { NewRecordProps } from "./record-picker"

/** Creates a customer without leaving the document. */
export function NewCustomerDialog({ typed, onCreated, onClose }: NewRecordProps<Customer>) {
  const state = useCreateForm<Customer, { name: string; email: string; phone: string }>({
    path: "/customers",
    initialValues: { name: typed, email: "", phone: "" },
    onCreated: (customer) => {
      tellDone(`${customer.name} was saved.`)
      onCreated(customer)
    },
  })
  const { form } = state
  return (
    <FormDialog title="New customer" state={state} submit="Create customer" onClose={onClose} size="md">
      <TextInput label="Name" required data-autofocus {...form.getInputProps("name")} />
      <TextInput label="Email" type="email" {...form.getInputProps("email")} />
      <TextInput label="Phone" type="tel" {...form.getInputProps("phone")} />
    </FormDialog>
  )
}
