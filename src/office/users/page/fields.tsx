import { Anchor, Group, Select, SimpleGrid, Switch, Text, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { Link } from "wouter"
import { roles } from "../../../shared/rights"
import type { Role, User } from "../../../console/api/types"
import { planChoices } from "../../../console/parts/shown"
import { TextAround } from "../../../console/parts/more-menu"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

export const userValuesOf = (user: User | null) => ({
  email: user?.email ?? "",
  name: user?.name ?? "",
  role: user?.role ?? "sales",
  plan: user?.plan ?? "",
  isActive: user?.isActive ?? true,
  password: "",
})

export type UserForm = UseFormReturnType<ReturnType<typeof userValuesOf>>
type Props = { form: UserForm }

export const Identity = ({ form, isNew }: Props & { isNew: boolean }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    <TextInput
      label={common(($) => $.common.email)}
      description={isNew ? t(($) => $.emailNew) : t(($) => $.emailFixed)}
      type="email"
      autoComplete="off"
      required
      readOnly={!isNew}
      data-autofocus={isNew || undefined}
      {...form.getInputProps("email")}
    />
    <TextInput
      label={common(($) => $.common.name)}
      description={t(($) => $.nameHint)}
      required
      autoComplete="off"
      data-autofocus={!isNew || undefined}
      {...form.getInputProps("name")}
    />
  </SimpleGrid>
)

export const RoleSelect = ({ form }: Props) => (
  <Select
    label={t(($) => $.role)}
    description={common(($) => $.values.roleMeaning[form.values.role])}
    data={roles.map((value) => ({ value, label: common(($) => $.values.role[value]) }))}
    renderOption={({ option }) => <RoleOption role={option.value as Role} />}
    allowDeselect={false}
    {...form.getInputProps("role")}
  />
)

const RoleOption = ({ role }: { role: Role }) => (
  <div>
    <Text size="sm">{common(($) => $.values.role[role])}</Text>
    <Text size="xs" c="dimmed">
      {common(($) => $.values.roleMeaning[role])}
    </Text>
  </div>
)

export const PlanSelect = ({ form }: Props) => (
  <Select
    label={common(($) => $.common.plan)}
    description={common(($) => $.common.planHint)}
    data={planChoices({
      inherited: { label: t(($) => $.companyPlan), plan: "free" },
      before: "free",
      isAdmin: true,
    })}
    allowDeselect={false}
    {...form.getInputProps("plan")}
  />
)

export const OwnPassword = () => (
  <Text size="sm">
    <TextAround text={(link) => t(($) => $.ownPassword, { link })}>
      <Anchor component={Link} href="/settings/account" inherit underline="always">
        {common(($) => $.menu.account)}
      </Anchor>
    </TextAround>
  </Text>
)

export const Activity = ({ form, id }: Props & { id: string }) => (
  <Group justify="space-between">
    <Switch
      label={t(($) => $.active)}
      description={t(($) => $.activeHint)}
      {...form.getInputProps("isActive", { type: "checkbox" })}
    />
    <Anchor component={Link} href={`/settings/audit?actor=${id}`} size="sm">
      {t(($) => $.activity)}
    </Anchor>
  </Group>
)
