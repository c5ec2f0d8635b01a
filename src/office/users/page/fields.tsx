import { Anchor, Group, Select, SimpleGrid, Switch, Text, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { Link } from "wouter"
import { roles } from "../../../shared/rights"
import type { Role, User } from "../../../console/api/types"
import { planChoices } from "../../../console/parts/plan-choices"
import { TextAround } from "../../../console/parts/text-around"
import { t } from "../../../console/texts"

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
      label={t(($) => $.common.email)}
      description={isNew ? t(($) => $.users.emailNew) : t(($) => $.users.emailFixed)}
      type="email"
      autoComplete="off"
      required
      readOnly={!isNew}
      data-autofocus={isNew || undefined}
      {...form.getInputProps("email")}
    />
    <TextInput
      label={t(($) => $.common.name)}
      description={t(($) => $.users.nameHint)}
      required
      autoComplete="off"
      data-autofocus={!isNew || undefined}
      {...form.getInputProps("name")}
    />
  </SimpleGrid>
)

export const RoleSelect = ({ form }: Props) => (
  <Select
    label={t(($) => $.users.role)}
    description={t(($) => $.values.roleMeaning[form.values.role])}
    data={roles.map((value) => ({ value, label: t(($) => $.values.role[value]) }))}
    renderOption={({ option }) => <RoleOption role={option.value as Role} />}
    allowDeselect={false}
    {...form.getInputProps("role")}
  />
)

const RoleOption = ({ role }: { role: Role }) => (
  <div>
    <Text size="sm">{t(($) => $.values.role[role])}</Text>
    <Text size="xs" c="dimmed">
      {t(($) => $.values.roleMeaning[role])}
    </Text>
  </div>
)

export const PlanSelect = ({ form }: Props) => (
  <Select
    label={t(($) => $.common.plan)}
    description={t(($) => $.common.planHint)}
    data={planChoices({
      inherited: { label: t(($) => $.users.companyPlan), plan: "free" },
      before: "free",
      isAdmin: true,
    })}
    allowDeselect={false}
    {...form.getInputProps("plan")}
  />
)

export const OwnPassword = () => (
  <Text size="sm">
    <TextAround text={(link) => t(($) => $.users.ownPassword, { link })}>
      <Anchor component={Link} href="/settings/account" inherit underline="always">
        {t(($) => $.menu.account)}
      </Anchor>
    </TextAround>
  </Text>
)

export const Activity = ({ form, id }: Props & { id: string }) => (
  <Group justify="space-between">
    <Switch
      label={t(($) => $.users.active)}
      description={t(($) => $.users.activeHint)}
      {...form.getInputProps("isActive", { type: "checkbox" })}
    />
    <Anchor component={Link} href={`/settings/audit?actor=${id}`} size="sm">
      {t(($) => $.audit.userActivity)}
    </Anchor>
  </Group>
)
