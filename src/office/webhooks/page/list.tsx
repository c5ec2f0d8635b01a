import { useState } from "react"
import { useLocation } from "wouter"
import type { Webhook } from "../../../console/api/types"
import { moment } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import type { Filter } from "../../../console/lists/filters"
import type { PhoneLines } from "../../../console/lists/list-cells"
import { RecordList } from "../../../console/lists/record-list"
import { AdminOnly } from "../../../console/parts/admin-only"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { everything } from "./patterns"
import { SecretShown } from "./secret-shown"
import { SendingNotice } from "./sending-notice"
import { StateBadge } from "./state"
import { useIssued } from "./use-issued"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { type IssuedWebhook, WebhookFields, webhookValuesOf } from "./fields"

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

export default function Webhooks() {
  return (
    <AdminOnly title={common(($) => $.kinds.webhooks.title)}>
      <WebhookList />
    </AdminOnly>
  )
}

function WebhookList() {
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
