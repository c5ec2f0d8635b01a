import { useState } from "react"
import { useLocation } from "wouter"
import type { Webhook, WebhookSending } from "../../../console/api/types"
import { moment } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import type { Filter } from "../../../console/lists/filters"
import type { PhoneLines } from "../../../console/lists/list-body"
import { RecordList } from "../../../console/lists/record-list"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { everything } from "./patterns"
import { StateBadge } from "./state"
import { useIssued } from "./use-issued"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { type IssuedWebhook, WebhookFields, webhookValuesOf } from "./fields"
import { Alert, Button, Text } from "@mantine/core"
import { CopyField, ShownOnce } from "../../../console/parts/copy-field"
import { call } from "../../../console/api/client"
import { useChange, useMay, useRead } from "../../../console/api/hooks"
import { confirm } from "../../../console/parts/confirm"
import { tellDone, tellError } from "../../../console/parts/tell"

const columns: Column<Webhook>[] = [
  { key: "url", title: common(($) => $.fields.url), show: ({ url }) => url },
  {
    key: "description",
    title: common(($) => $.fields.description),
    show: ({ description }) => description ?? "–",
  },
  {
    key: "types",
    title: t(($) => $.types),
    sorts: false,
    show: ({ types }) => (types.includes(everything) ? t(($) => $.allTypes) : types.join(", ")),
  },
  {
    key: "isActive",
    title: common(($) => $.common.status),
    show: (webhook) => <StateBadge webhook={webhook} />,
  },
  {
    key: "lastSuccessAt",
    title: t(($) => $.lastSuccess),
    show: ({ lastSuccessAt }) => (lastSuccessAt ? moment(lastSuccessAt) : common(($) => $.common.never)),
  },
  {
    key: "payload",
    title: t(($) => $.payload),
    isExtra: true,
    show: ({ payload }) => t(($) => $[payload]),
  },
  {
    key: "createdAt",
    title: common(($) => $.common.created),
    isExtra: true,
    show: ({ createdAt }) => moment(createdAt),
  },
]

const phone: PhoneLines<Webhook> = {
  title: "url",
  amount: (webhook) => <StateBadge webhook={webhook} />,
  line: ["description", "types"],
}

const filters: Filter[] = [
  {
    key: "isActive",
    label: common(($) => $.common.status),
    options: [
      { value: "true", label: t(($) => $.states.active) },
      { value: "false", label: t(($) => $.states.inactive) },
    ],
  },
]

/** The webhooks of the user, or those of all users for an admin. */
export default function Webhooks() {
  const [, go] = useLocation()
  const [isNew, setNew] = useState(false)
  const { issued, show, close } = useIssued()
  return (
    <>
      <RecordList
        kind="webhooks"
        title={common(($) => $.kinds.webhooks.title)}
        columns={columns}
        phone={phone}
        filters={filters}
        nameOf={({ url }) => url}
        hrefOf={({ id }) => `/settings/webhooks/${id}`}
        create={{ label: t(($) => $.new), onClick: () => setNew(true) }}
        intro={t(($) => $.intro)}
      >
        <SendingNotice />
      </RecordList>
      {isNew && (
        <NewWebhook
          onCreated={(webhook) => {
            setNew(false)
            show(webhook)
          }}
          onClose={() => setNew(false)}
        />
      )}
      {issued && (
        <SecretShown
          issued={issued}
          onClose={() => {
            close()
            go(`/settings/webhooks/${issued.id}`)
          }}
        />
      )}
    </>
  )
}

type Props = { onCreated: (issued: IssuedWebhook) => void; onClose: () => void }

function NewWebhook({ onCreated, onClose }: Props) {
  const state = useRecordForm({
    kind: "webhooks",
    record: null,
    valuesOf: webhookValuesOf,
    onSaved: onCreated,
  })
  return (
    <FormDialog title={t(($) => $.new)} state={state} submit={t(($) => $.create)} onClose={onClose} size="xl">
      <WebhookFields form={state.form} isNew />
    </FormDialog>
  )
}

/** Shows the secret of a webhook once. */
export const SecretShown = ({ issued, onClose }: { issued: IssuedWebhook; onClose: () => void }) => (
  <ShownOnce
    title={t(($) => $.secretFor)}
    warning={t(($) => $.storeSecret)}
    done={t(($) => $.secretStored)}
    onClose={onClose}
  >
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      {issued.url}
    </Text>
    <CopyField
      label={t(($) => $.secret)}
      copy={t(($) => $.copySecret)}
      value={issued.secret ?? ""}
      autoFocus
    />
    <Text size="sm">{t(($) => $.howToVerify)}</Text>
  </ShownOnce>
)

/** Tells that nothing is sent: after a restore, until an admin resumes it, or because the server never sends. */
export function SendingNotice() {
  const isAdmin = useMay()("administration", "admin")
  const { data } = useRead<WebhookSending>("/webhooks/status")
  if (!data || data.isSending) return null
  if (data.isSwitchedOff)
    return (
      <Alert color="gray" role="status" mb="md" title={t(($) => $.switchedOff)}>
        {t(($) => $.switchedOffText)}
      </Alert>
    )
  return (
    <Alert color="orange" role="status" mb="md" title={t(($) => $.paused)}>
      <Text size="sm" mb="sm">
        {t(($) => $.pausedText)}
      </Text>
      {isAdmin && <Resume />}
    </Alert>
  )
}

function Resume() {
  const resume = useChange(() => call("POST", "/webhooks/resume", { body: {} }))
  const ask = async () => {
    const question = {
      title: t(($) => $.confirmResume),
      text: t(($) => $.confirmResumeText),
      action: t(($) => $.resume),
      isDangerous: false,
    }
    if (!(await confirm(question))) return
    resume.mutate(undefined, { onSuccess: () => tellDone(t(($) => $.resumed)), onError: tellError })
  }
  return (
    <Button size="xs" variant="default" loading={resume.isPending} onClick={() => void ask()}>
      {t(($) => $.resume)}
    </Button>
  )
}
