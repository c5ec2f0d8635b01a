import { useState } from "react"
import { roles } from "../../../../shared/rights"
import { useMe } from "../../api/hooks"
import type { User } from "../../api/types"
import { moment, words } from "../../format"
import type { Column } from "../../lists/columns"
import { RecordList } from "../../lists/record-list"
import { AdminOnly } from "../../parts/admin-only"
import { CopyField } from "../../parts/copy-field"
import { ShownOnce } from "../../parts/shown-once"
import { StatusBadge } from "../../parts/status-badge"
import { UserDialog } from "./dialog"
import { RoleTable } from "./role-table"

const filters = [
  { key: "role", label: "Role", options: roles.map((value) => ({ value, label: words(value) })) },
  {
    key: "isActive",
    label: "Status",
    options: [
      { value: "true", label: "Active" },
      { value: "false", label: "Inactive" },
    ],
  },
]

const columnsOf = (myId: string): Column<User>[] => [
  { key: "name", title: "Name", show: ({ id, name }) => (id === myId ? `${name} (you)` : name) },
  { key: "email", title: "Email", show: ({ email }) => email },
  { key: "role", title: "Role", show: ({ role }) => words(role) },
  { key: "plan", title: "Plan", show: ({ plan }) => (plan ? words(plan) : "Default") },
  {
    key: "isActive",
    title: "Status",
    show: ({ isActive }) => <StatusBadge status={isActive ? "active" : "inactive"} />,
  },
  { key: "createdAt", title: "Created", show: ({ createdAt }) => moment(createdAt) },
  { key: "updatedAt", title: "Updated", isExtra: true, show: ({ updatedAt }) => moment(updatedAt) },
]

export default function Users() {
  return (
    <AdminOnly title="Users">
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
        title="Users"
        noun="user"
        columns={columnsOf(me.id)}
        phone={{ title: "name", amount: ({ role }) => words(role), line: ["isActive", "email"] }}
        filters={filters}
        sort={{ key: "name", order: "asc" }}
        nameOf={({ name }) => name}
        onOpen={(user) => setOpen({ view: "form", user })}
        create={{ label: "New user", onClick: () => setOpen({ view: "form", user: null }) }}
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
    title={`Sign-in details for ${user.name}`}
    warning="Share the password with the user now. You cannot view it again. The user can change it under My account."
    done="I have shared the password"
    onClose={onClose}
  >
    <CopyField label="Email" value={user.email} />
    <CopyField label="Password" value={password} autoFocus />
  </ShownOnce>
)
