import { Alert, Anchor, Group, Select, SimpleGrid, Switch, Text, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useRef } from "react"
import { Link } from "wouter"
import { useMe } from "../../api/hooks"
import type { Role, User } from "../../api/types"
import { useRecordForm } from "../../forms/use-record-form"
import { words } from "../../format"
import { FormDialog } from "../../parts/form-dialog"
import { NewPasswordField } from "./new-password-field"
import { planChoices } from "../../parts/plan-choices"
import { roles } from "../../../../shared/rights"
import { roleSentences } from "../../parts/rights-in-words"

const valuesOf = (user: User | null) => ({
  email: user?.email ?? "",
  name: user?.name ?? "",
  role: user?.role ?? "sales",
  plan: user?.plan ?? "",
  isActive: user?.isActive ?? true,
  password: "",
})

/** What the server says beside the field. */
const lastAdmin = "would leave no active admin"

type Props = {
  user: User | null
  /** With the password, when it was one that we have made up. */
  onSaved: (user: User, password: string | null) => void
  onClose: () => void
}

export function UserDialog({ user, onSaved, onClose }: Props) {
  const me = useMe()
  const isMe = user?.id === me.id
  const suggested = useRef<string | null>(null)
  const state = useRecordForm({
    kind: "users",
    record: user,
    valuesOf,
    onSaved: (saved) => {
      notifications.show({ message: `${saved.name} was saved.`, color: "teal" })
      onSaved(saved, suggested.current)
    },
  })
  const { form } = state
  const password = form.getInputProps("password")
  const isLastAdmin = [form.errors["role"], form.errors["isActive"]].some((fault) => fault === lastAdmin)
  return (
    <FormDialog
      title={user ? user.name : "New user"}
      state={state}
      submit={user ? "Save" : "Create user"}
      onClose={onClose}
    >
      {isMe && (
        <Alert color="orange" p="xs">
          This is you. If you give up your role or deactivate yourself, you lose this page at once.
        </Alert>
      )}
      {isLastAdmin && (
        <Alert color="red" role="alert" p="xs">
          {user?.name} is the last active administrator. Make somebody else an administrator first.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="E-mail"
          description={user ? "Cannot be changed" : "What they sign in with"}
          type="email"
          autoComplete="off"
          required
          readOnly={user !== null}
          data-autofocus={user === null || undefined}
          {...form.getInputProps("email")}
        />
        <TextInput
          label="Name"
          description="As others see it"
          required
          autoComplete="off"
          data-autofocus={user !== null || undefined}
          {...form.getInputProps("name")}
        />
      </SimpleGrid>
      <Select
        label="Role"
        description={roleSentences[form.values.role]}
        data={roles.map((value) => ({ value, label: words(value) }))}
        renderOption={({ option }) => <RoleOption role={option.value as Role} />}
        allowDeselect={false}
        {...form.getInputProps("role")}
      />
      <Select
        label="Plan"
        description="How many requests they have a minute and a day"
        data={planChoices({
          inherited: { label: "Default of the company", plan: "free" },
          before: "free",
          isAdmin: true,
        })}
        allowDeselect={false}
        {...form.getInputProps("plan")}
      />
      {isMe ? (
        <Text size="sm">
          Change your own password under{" "}
          <Anchor component={Link} href="/settings/account" inherit underline="always">
            My account
          </Anchor>
          .
        </Text>
      ) : (
        <NewPasswordField
          isNew={user === null}
          {...password}
          onChange={(event) => {
            suggested.current = null
            password.onChange(event)
          }}
          onSuggest={(password) => {
            suggested.current = password
            form.setFieldValue("password", password)
          }}
        />
      )}
      {user && (
        <Group justify="space-between">
          <Switch
            label="Active"
            description="An inactive user cannot sign in, and their API keys do not work"
            {...form.getInputProps("isActive", { type: "checkbox" })}
          />
          <Anchor component={Link} href={`/settings/audit?actor=${user.id}`} size="sm">
            What this user did
          </Anchor>
        </Group>
      )}
    </FormDialog>
  )
}

const RoleOption = ({ role }: { role: Role }) => (
  <div>
    <Text size="sm">{words(role)}</Text>
    <Text size="xs" c="dimmed">
      {roleSentences[role]}
    </Text>
  </div>
)
