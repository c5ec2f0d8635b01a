import { useState } from "react"
import { roles } from "../../../shared/rights"
import { useMe } from "../../../console/api/hooks"
import type { User } from "../../../console/api/types"
import { moment } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import { RecordList } from "../../../console/lists/record-list"
import { AdminOnly } from "../../../console/parts/admin-only"
import { CopyField } from "../../../console/parts/copy-field"
import { ShownOnce } from "../../../console/parts/shown-once"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "../../../console/texts"
import { UserDialog } from "./dialog"
import { RoleTable } from "./role-table"

const filters = [
  {
    key: "role",
    label: t(($) => $.users.role),
    options: roles.map((value) => ({ value, label: t(($) => $.values.role[value]) })),
  },
  {
    key: "isActive",
    label: t(($) => $.common.status),
    options: [
      { value: "true", label: t(($) => $.values.status.active) },
      { value: "false", label: t(($) => $.values.status.inactive) },
    ],
  },
]

const columnsOf = (myId: string): Column<User>[] => [
  {
    key: "name",
    title: t(($) => $.common.name),
    show: ({ id, name }) => (id === myId ? t(($) => $.common.you, { name }) : name),
  },
  { key: "email", title: t(($) => $.common.email), show: ({ email }) => email },
  { key: "role", title: t(($) => $.users.role), show: ({ role }) => t(($) => $.values.role[role]) },
  {
    key: "plan",
    title: t(($) => $.common.plan),
    show: ({ plan }) => (plan ? t(($) => $.values.plan[plan]) : t(($) => $.users.defaultPlan)),
  },
  {
    key: "isActive",
    title: t(($) => $.common.status),
    show: ({ isActive }) => <StatusBadge status={isActive ? "active" : "inactive"} />,
  },
  { key: "createdAt", title: t(($) => $.common.created), show: ({ createdAt }) => moment(createdAt) },
  {
    key: "updatedAt",
    title: t(($) => $.common.updated),
    isExtra: true,
    show: ({ updatedAt }) => moment(updatedAt),
  },
]

export default function Users() {
  return (
    <AdminOnly title={t(($) => $.kinds.users.title)}>
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
        title={t(($) => $.kinds.users.title)}
        columns={columnsOf(me.id)}
        phone={{
          title: "name",
          amount: ({ role }) => t(($) => $.values.role[role]),
          line: ["isActive", "email"],
        }}
        filters={filters}
        sort={{ key: "name", order: "asc" }}
        nameOf={({ name }) => name}
        onOpen={(user) => setOpen({ view: "form", user })}
        create={{ label: t(($) => $.users.new), onClick: () => setOpen({ view: "form", user: null }) }}
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
    title={t(($) => $.users.detailsFor, { name: user.name })}
    warning={t(($) => $.users.sharePassword)}
    done={t(($) => $.users.passwordShared)}
    onClose={onClose}
  >
    <CopyField label={t(($) => $.common.email)} copy={t(($) => $.users.copyEmail)} value={user.email} />
    <CopyField
      label={t(($) => $.common.password)}
      copy={t(($) => $.users.copyPassword)}
      value={password}
      autoFocus
    />
  </ShownOnce>
)
