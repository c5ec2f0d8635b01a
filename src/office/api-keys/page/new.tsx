import { Alert, Anchor, Checkbox, Group, Select, SimpleGrid, Stack, TextInput } from "@mantine/core"
import { DatePickerInput } from "@mantine/dates"
import type { UseFormReturnType } from "@mantine/form"
import { useState } from "react"
import { Link } from "wouter"
import { type BusinessArea, businessAreas, scopesOf } from "../../../shared/rights"
import { useMay, useMe } from "../../../console/api/hooks"
import type { ApiKey, Scope } from "../../../console/api/types"
import { clock } from "../../../console/clock"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { emptyAsNull } from "../../../console/forms/body"
import { FormDialog } from "../../../console/parts/form-dialog"
import { planChoices } from "../../../console/parts/shown"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { dayIn, expiryOf, lifetimes } from "./expiry"
import { TagsField } from "../../../console/forms/search-select"
import { moment } from "../../../console/format"

const valuesOf = () => ({
  name: "",
  scopes: ["read"] as Scope[],
  areas: [...businessAreas] as BusinessArea[],
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
    <FormDialog title={t(($) => $.new)} state={state} submit={t(($) => $.create)} onClose={onClose}>
      <TextInput
        label={common(($) => $.common.name)}
        description={t(($) => $.nameHint)}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Scopes form={form} />
      <Areas form={form} />
      {isAdmin && <AdminRights scopes={form.values.scopes} />}
      <Lifetime form={form} />
      <AllowedIps form={form} />
      <Select
        label={common(($) => $.common.plan)}
        description={common(($) => $.common.planHint)}
        data={planChoices({
          inherited: { label: t(($) => $.sameAsMine), plan },
          before: plan,
          isAdmin,
        })}
        allowDeselect={false}
        {...form.getInputProps("plan")}
      />
    </FormDialog>
  )
}

function useNewKeyForm(onCreated: Props["onCreated"]) {
  // The expiry counts from the time the dialog was opened, so that the same form sent twice is the same request.
  const [openedAt] = useState(() => clock.business())
  return useRecordForm({
    kind: "api-keys",
    record: null,
    valuesOf,
    bodyOf: ({ lastDay, expiresAt, areas, ...values }) => ({
      ...emptyAsNull(values),
      // A key of all areas is also one of those that come later.
      areas: areas.length === businessAreas.length ? null : areas,
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
      label={common(($) => $.common.scopes)}
      description={t(($) => $.scopesHint, { role: common(($) => $.values.role[role]) })}
      required
      {...form.getInputProps("scopes")}
    >
      <Stack gap="xs" mt="xs">
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={common(($) => $.values.scope[scope])}
            description={common(($) => $.values.keyScopeMeaning[scope])}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

const Areas = ({ form }: { form: Form }) => (
  <Checkbox.Group
    label={t(($) => $.areas)}
    description={t(($) => $.areasHint)}
    {...form.getInputProps("areas")}
  >
    <Group gap="md" mt="xs">
      {businessAreas.map((area) => (
        <Checkbox key={area} value={area} label={common(($) => $.values.area[area])} />
      ))}
    </Group>
  </Checkbox.Group>
)

/** The narrowest roles for programs, with the scopes that they allow. */
const programRoles = ["viewer", "shop", "manager"] as const

/**
 * Says that a key has the rights of its owner, and which role would be enough for the scopes. A key that administers needs
 * an admin.
 */
function AdminRights({ scopes }: { scopes: readonly Scope[] }) {
  const role = programRoles.find((each) => scopes.every((scope) => scopesOf(each).includes(scope)))
  return (
    <Alert color="orange" p="xs" title={t(($) => $.adminRights)}>
      {role ? t(($) => $.narrowerRole, { role: common(($) => $.values.role[role]) }) : t(($) => $.needsAdmin)}{" "}
      {role && (
        <Anchor component={Link} href="/settings/users" inherit>
          {common(($) => $.kinds.users.title)}
        </Anchor>
      )}
    </Alert>
  )
}

function Lifetime({ form }: { form: Form }) {
  const expiry = form.getInputProps("expiresAt")
  const isDay = form.values.expiresAt === "date"
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={common(($) => $.common.expires)}
          data={lifetimes}
          allowDeselect={false}
          {...expiry}
          error={isDay ? undefined : expiry.error}
        />
        {isDay && (
          <DatePickerInput
            label={t(($) => $.lastDay)}
            minDate={dayIn(0)}
            {...form.getInputProps("lastDay")}
            error={expiry.error}
          />
        )}
      </SimpleGrid>
      {form.values.expiresAt === "never" && (
        <Alert color="orange" p="xs">
          {t(($) => $.neverWarning)}
        </Alert>
      )}
    </>
  )
}

type AllowedIpsProps<V> = { form: UseFormReturnType<V> }

/** The IP addresses that may use a key. */
export const AllowedIps = <V extends { allowedIps: string[] }>({ form }: AllowedIpsProps<V>) => (
  <TagsField form={form} name="allowedIps" label={t(($) => $.ips)} description={t(($) => $.ipsHint)} />
)

/** A key with its secret text. Only the response that creates or rotates the key contains the text. */
export type IssuedKey = ApiKey & { key?: string }

/** Returns when a key was last used, and from which IP address. */
export function lastUse({ lastUsedAt, lastUsedIp: ip }: ApiKey): string {
  if (lastUsedAt === null) return common(($) => $.common.never)
  const time = moment(lastUsedAt)
  return ip === null ? t(($) => $.usedFromUnknown, { time }) : t(($) => $.usedFrom, { time, ip })
}
