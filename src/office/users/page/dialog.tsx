import { Alert } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useRef } from "react"
import { useMe } from "../../../console/api/hooks"
import type { User } from "../../../console/api/types"
import { fieldMessage } from "../../../console/forms/field-errors"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { t } from "../../../console/texts"
import { Activity, Identity, OwnPassword, PlanSelect, RoleSelect, userValuesOf } from "./fields"
import { NewPasswordField } from "./new-password-field"

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

export function UserDialog({ user, onSaved, onClose }: Props) {
  const me = useMe()
  const isMe = user?.id === me.id
  const suggested = useRef<string | null>(null)
  const state = useRecordForm({
    kind: "users",
    record: user,
    valuesOf: userValuesOf,
    onSaved: (saved) => {
      notifications.show({ message: t(($) => $.common.saved, { name: saved.name }), color: "teal" })
      onSaved(saved, suggested.current)
    },
  })
  const { form } = state
  const isLastAdmin = [form.errors["role"], form.errors["isActive"]].includes(lastAdmin)
  return (
    <FormDialog
      title={user ? user.name : t(($) => $.users.new)}
      state={state}
      submit={user ? t(($) => $.common.save) : t(($) => $.users.create)}
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
    {t(($) => $.users.aboutMyself)}
  </Alert>
)

const LastAdmin = ({ name }: { name: string }) => (
  <Alert color="red" role="alert" p="xs">
    {t(($) => $.users.lastAdmin, { name })}
  </Alert>
)
