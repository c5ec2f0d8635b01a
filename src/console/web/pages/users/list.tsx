import { useState } from "react"
import { useMe } from "../../api/hooks"
import type { User } from "../../api/types"
import { moment, words } from "../../format"
import type { Column } from "../../lists/columns"
import { RecordList } from "../../lists/record-list"
import { StatusBadge } from "../../parts/status-badge"
import { AdminOnly } from "../../parts/admin-only"
import { CopyField } from "../../parts/copy-field"
import { RoleTable } from "./role-table"
import { roles } from "../../../../shared/rights"
import { ShownOnce } from "../../parts/shown-once"
import { UserDialog } from "./dialog"

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

type Open = { view: "form"; user: User | null } | { view: "password"; user: User; password: string }

export default function Users() {
  return (
    <AdminOnly title="Users">
      <UserList />
      <RoleTable />
    </AdminOnly>
  )
}

function UserList() {
  const me = useMe()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const columns: Column<User>[] = [
    { key: "name", title: "Name", show: ({ id, name }) => (id === me.id ? `${name} (me)` : name) },
    { key: "email", title: "E-mail", show: ({ email }) => email },
    { key: "role", title: "Role", show: ({ role }) => words(role) },
    { key: "plan", title: "Plan", show: ({ plan }) => (plan ? words(plan) : "Default") },
    {
      key: "isActive",
      title: "Status",
      show: ({ isActive }) => <StatusBadge status={isActive ? "active" : "inactive"} />,
    },
    { key: "createdAt", title: "Created", show: ({ createdAt }) => moment(createdAt) },
    { key: "updatedAt", title: "Changed", isExtra: true, show: ({ updatedAt }) => moment(updatedAt) },
  ]
  return (
    <>
      <RecordList
        kind="users"
        title="Users"
        noun="user"
        columns={columns}
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
        <ShownOnce
          title={`How ${open.user.name} signs in`}
          warning="Hand the password over now. Kontor keeps no copy, and it will not be shown again. It can be changed under My account."
          done="I have passed it on"
          onClose={close}
        >
          <CopyField label="E-mail" value={open.user.email} />
          <CopyField label="Password" value={open.password} autoFocus />
        </ShownOnce>
      )}
    </>
  )
}
