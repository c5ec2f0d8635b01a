import { Alert, Checkbox, Select, SimpleGrid, Stack, TextInput } from "@mantine/core"
import { DatePickerInput } from "@mantine/dates"
import type { UseFormReturnType } from "@mantine/form"
import { useState } from "react"
import { useMay, useMe } from "../../api/hooks"
import type { Scope } from "../../api/types"
import { words } from "../../format"
import { useRecordForm } from "../../forms/use-record-form"
import { emptyAsNull } from "../../forms/body"
import { FormDialog } from "../../parts/form-dialog"
import { planChoices } from "../../parts/plan-choices"
import { AllowedIps } from "./allowed-ips"
import { dayIn, expiryOf, lifetimes } from "./expiry"
import type { IssuedKey } from "./issued-key"

const sentences: Record<Scope, string> = {
  read: "View and search items, stock, customers, orders and invoices.",
  write: "Create and update records, submit orders, issue invoices and record payments.",
  delete: "Delete records.",
  admin: "View users, settings, OAuth clients and the audit log. API keys cannot update them.",
}

const valuesOf = () => ({
  name: "",
  scopes: ["read"] as Scope[],
  // The lifetime in days, "never" or "date". The form sends the resulting time.
  expiresAt: "90",
  lastDay: dayIn(90),
  allowedIps: [] as string[],
  plan: "",
})

type Form = UseFormReturnType<ReturnType<typeof valuesOf>>
type Props = { onCreated: (issued: IssuedKey) => void; onClose: () => void }

export function NewApiKey({ onCreated, onClose }: Props) {
  const { plan } = useMe()
  const isAdmin = useMay()("administration", "admin")
  const state = useNewKeyForm(onCreated)
  const { form } = state
  return (
    <FormDialog title="New API key" state={state} submit="Create API key" onClose={onClose}>
      <TextInput
        label="Name"
        description="The program that uses it, for example Web shop"
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Scopes form={form} />
      <Lifetime form={form} />
      <AllowedIps form={form} />
      <Select
        label="Plan"
        description="Request limits per minute and per day"
        data={planChoices({ inherited: { label: "Same as mine", plan }, before: plan, isAdmin })}
        allowDeselect={false}
        {...form.getInputProps("plan")}
      />
    </FormDialog>
  )
}

function useNewKeyForm(onCreated: Props["onCreated"]) {
  // The expiry counts from the time the dialog was opened, so that the same form sent twice is the same request.
  const [openedAt] = useState(() => Date.now())
  return useRecordForm({
    kind: "api-keys",
    record: null,
    valuesOf,
    bodyOf: ({ lastDay, expiresAt, ...values }) => ({
      ...emptyAsNull(values),
      expiresAt: expiryOf(expiresAt, lastDay, openedAt),
    }),
    meaningfulNulls: ["expiresAt"],
    onSaved: onCreated,
  })
}

function Scopes({ form }: { form: Form }) {
  const { role, scopes } = useMe()
  return (
    <Checkbox.Group
      label="Scopes"
      description={`What the key can do, within the rights of your role (${words(role)})`}
      required
      {...form.getInputProps("scopes")}
    >
      <Stack gap="xs" mt="xs">
        {scopes.map((scope) => (
          <Checkbox key={scope} value={scope} label={words(scope)} description={sentences[scope]} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

function Lifetime({ form }: { form: Form }) {
  const expiry = form.getInputProps("expiresAt")
  const isDay = form.values.expiresAt === "date"
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Expires"
          data={lifetimes}
          allowDeselect={false}
          {...expiry}
          error={isDay ? undefined : expiry.error}
        />
        {isDay && (
          <DatePickerInput
            label="Last day"
            minDate={dayIn(0)}
            {...form.getInputProps("lastDay")}
            error={expiry.error}
          />
        )}
      </SimpleGrid>
      {form.values.expiresAt === "never" && (
        <Alert color="orange" p="xs">
          A key that never expires works until you revoke it. Restrict it to IP addresses if possible.
        </Alert>
      )}
    </>
  )
}
