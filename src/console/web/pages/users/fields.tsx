import { Anchor, Group, Select, SimpleGrid, Switch, Text, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { Link } from "wouter"
import { roles } from "../../../../shared/rights"
import type { Role, User } from "../../api/types"
import { words } from "../../format"
import { planChoices } from "../../parts/plan-choices"
import { roleSentences } from "../../parts/rights-in-words"

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
      label="Email"
      description={isNew ? "Used to sign in" : "Cannot be changed"}
      type="email"
      autoComplete="off"
      required
      readOnly={!isNew}
      data-autofocus={isNew || undefined}
      {...form.getInputProps("email")}
    />
    <TextInput
      label="Name"
      description="Shown to other users"
      required
      autoComplete="off"
      data-autofocus={!isNew || undefined}
      {...form.getInputProps("name")}
    />
  </SimpleGrid>
)

export const RoleSelect = ({ form }: Props) => (
  <Select
    label="Role"
    description={roleSentences[form.values.role]}
    data={roles.map((value) => ({ value, label: words(value) }))}
    renderOption={({ option }) => <RoleOption role={option.value as Role} />}
    allowDeselect={false}
    {...form.getInputProps("role")}
  />
)

const RoleOption = ({ role }: { role: Role }) => (
  <div>
    <Text size="sm">{words(role)}</Text>
    <Text size="xs" c="dimmed">
      {roleSentences[role]}
    </Text>
  </div>
)

export const PlanSelect = ({ form }: Props) => (
  <Select
    label="Plan"
    description="Request limits per minute and per day"
    data={planChoices({
      inherited: { label: "Company default", plan: "free" },
      before: "free",
      isAdmin: true,
    })}
    allowDeselect={false}
    {...form.getInputProps("plan")}
  />
)

export const OwnPassword = () => (
  <Text size="sm">
    Change your own password under{" "}
    <Anchor component={Link} href="/settings/account" inherit underline="always">
      My account
    </Anchor>
    .
  </Text>
)

export const Activity = ({ form, id }: Props & { id: string }) => (
  <Group justify="space-between">
    <Switch
      label="Active"
      description="Inactive users cannot sign in, and their API keys do not work"
      {...form.getInputProps("isActive", { type: "checkbox" })}
    />
    <Anchor component={Link} href={`/settings/audit?actor=${id}`} size="sm">
      Activity of this user
    </Anchor>
  </Group>
)
