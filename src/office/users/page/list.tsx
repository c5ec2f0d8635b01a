import { useRef, useState } from "react"
import { roles } from "../../../shared/rights"
import { useMe } from "../../../console/api/hooks"
import type { User } from "../../../console/api/types"
import { moment } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import { valuesFilter } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { AdminOnly } from "../../../console/parts/page"
import { CopyField, ShownOnce } from "../../../console/parts/copy-field"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { RoleTable } from "./role-table"
import { Alert } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { fieldMessage } from "../../../console/forms/field-errors"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { Activity, Identity, OwnPassword, PlanSelect, RoleSelect, userValuesOf } from "./fields"
import { NewPasswordField } from "./new-password-field"

const filters = [
  {
    key: "role",
    label: t(($) => $.role),
    options: roles.map((value) => ({ value, label: common(($) => $.values.role[value]) })),
  },
  valuesFilter("users", "plan"),
  {
    key: "isActive",
    label: common(($) => $.common.status),
    options: [
      { value: "true", label: common(($) => $.values.status.active) },
      { value: "false", label: common(($) => $.values.status.inactive) },
    ],
  },
]

const columnsOf = (myId: string): Column<User>[] => [
  {
    key: "name",
    title: common(($) => $.common.name),
    show: ({ id, name }) => (id === myId ? common(($) => $.common.you, { name }) : name),
  },
  { key: "email", title: common(($) => $.common.email), show: ({ email }) => email },
  { key: "role", title: t(($) => $.role), show: ({ role }) => common(($) => $.values.role[role]) },
  {
    key: "plan",
    title: common(($) => $.common.plan),
    show: ({ plan }) => (plan ? common(($) => $.values.plan[plan]) : t(($) => $.defaultPlan)),
  },
  {
    key: "isActive",
    title: common(($) => $.common.status),
    show: ({ isActive }) => <StatusBadge status={isActive ? "active" : "inactive"} />,
  },
  { key: "createdAt", title: common(($) => $.common.created), show: ({ createdAt }) => moment(createdAt) },
  {
    key: "updatedAt",
    title: common(($) => $.common.updated),
    isExtra: true,
    show: ({ updatedAt }) => moment(updatedAt),
  },
]

export default function Users() {
  return (
    <AdminOnly title={common(($) => $.kinds.users.title)}>
      <UserList />
      <RoleTable />
    </AdminOnly>
  )
}

type Open = { view: "form"; user: User | null } | { view: "password"; user: User; password: string }

function UserList() {
  const me = useMe()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <RecordList
        kind="users"
        title={common(($) => $.kinds.users.title)}
        columns={columnsOf(me.id)}
        phone={{
          title: "name",
          amount: ({ role }) => common(($) => $.values.role[role]),
          line: ["isActive", "email"],
        }}
        filters={filters}
        sort={{ key: "name", order: "asc" }}
        nameOf={({ name }) => name}
        onOpen={(user) => setOpen({ view: "form", user })}
        create={{ label: t(($) => $.new), onClick: () => setOpen({ view: "form", user: null }) }}
      />
      {open?.view === "form" && (
        <UserDialog
          key={open.user?.id}
          user={open.user}
          onSaved={(user, password) => setOpen(password ? { view: "password", user, password } : null)}
          onClose={close}
        />
      )}
      {open?.view === "password" && (
        <PasswordShown user={open.user} password={open.password} onClose={close} />
      )}
    </>
  )
}

type ShownProps = { user: User; password: string; onClose: () => void }

const PasswordShown = ({ user, password, onClose }: ShownProps) => (
  <ShownOnce
    title={t(($) => $.detailsFor, { name: user.name })}
    warning={t(($) => $.sharePassword)}
    done={t(($) => $.passwordShared)}
    onClose={onClose}
  >
    <CopyField label={common(($) => $.common.email)} copy={t(($) => $.copyEmail)} value={user.email} />
    <CopyField
      label={common(($) => $.common.password)}
      copy={t(($) => $.copyPassword)}
      value={password}
      autoFocus
    />
  </ShownOnce>
)

/** The server's message for the field, as the form shows it. */
const lastAdmin = fieldMessage({
  field: "role",
  code: "RULE",
  message: "would leave no active admin",
  params: { rule: "LAST_ADMIN" },
})

type Props = {
  user: User | null
  /** `password` is the generated password; null if the user typed one. */
  onSaved: (user: User, password: string | null) => void
  onClose: () => void
}

function UserDialog({ user, onSaved, onClose }: Props) {
  const me = useMe()
  const isMe = user?.id === me.id
  const suggested = useRef<string | null>(null)
  const state = useRecordForm({
    kind: "users",
    record: user,
    valuesOf: userValuesOf,
    onSaved: (saved) => {
      notifications.show({ message: common(($) => $.common.saved, { name: saved.name }), color: "teal" })
      onSaved(saved, suggested.current)
    },
  })
  const { form } = state
  const isLastAdmin = [form.errors["role"], form.errors["isActive"]].includes(lastAdmin)
  return (
    <FormDialog
      title={user ? user.name : t(($) => $.new)}
      state={state}
      submit={user ? common(($) => $.common.save) : t(($) => $.create)}
      onClose={onClose}
    >
      {isMe && <AboutMyself />}
      {user && isLastAdmin && <LastAdmin name={user.name} />}
      <Identity form={form} isNew={user === null} />
      <RoleSelect form={form} />
      <PlanSelect form={form} />
      {isMe ? (
        <OwnPassword />
      ) : (
        <NewPasswordField
          form={form}
          isNew={user === null}
          onSuggested={(password) => (suggested.current = password)}
        />
      )}
      {user && <Activity form={form} id={user.id} />}
    </FormDialog>
  )
}

const AboutMyself = () => (
  <Alert color="orange" p="xs">
    {t(($) => $.aboutMyself)}
  </Alert>
)

const LastAdmin = ({ name }: { name: string }) => (
  <Alert color="red" role="alert" p="xs">
    {t(($) => $.lastAdmin, { name })}
  </Alert>
)
