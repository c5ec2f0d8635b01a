import { Button, Stack } from "@mantine/core"
import { useState } from "react"
import { useRecord } from "../../../console/api/hooks"
import type { Delivery, Webhook } from "../../../console/api/types"
import { moment } from "../../../console/format"
import { RecordForm } from "../../../console/forms/record-form"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { AdminOnly } from "../../../console/parts/admin-only"
import { Facts } from "../../../console/parts/facts"
import { Loaded } from "../../../console/parts/loaded"
import { MoreMenu } from "../../../console/parts/more-menu"
import { Page } from "../../../console/parts/page"
import { Section } from "../../../console/parts/section"
import { tellDone } from "../../../console/parts/tell"
import { useDelete } from "../../../console/parts/use-delete"
import { t } from "../../../console/texts"
import { Deliveries, readEvery } from "./deliveries"
import { DeliveryDialog } from "./delivery-dialog"
import { WebhookFields, webhookValuesOf } from "./fields"
import { SecretShown } from "./secret-shown"
import { SendingNotice } from "./sending-notice"
import { StateBadge, StateNotice } from "./state"
import { useRotate, useTest } from "./actions"

const parent = { title: t(($) => $.kinds.webhooks.title), href: "/settings/webhooks" }

/** The page of a webhook: its form, and what was sent to it. */
export default function WebhookPage({ id }: { id: string }) {
  return (
    <AdminOnly title={t(($) => $.kinds.webhooks.title)}>
      <Found id={id} />
    </AdminOnly>
  )
}

const Found = ({ id }: { id: string }) => (
  <Loaded query={useRecord("webhooks", id, readEvery)}>{(webhook) => <Existing webhook={webhook} />}</Loaded>
)

function Existing({ webhook }: { webhook: Webhook }) {
  const [shown, setShown] = useState<Delivery | null>(null)
  const test = useTest(webhook, setShown)
  const { issued, close, ...rotation } = useRotate(webhook)
  const removal = useDelete({
    kind: "webhooks",
    id: webhook.id,
    version: webhook.version,
    name: webhook.url,
    to: parent.href,
  })
  return (
    <Page
      title={webhook.description ?? webhook.url}
      parent={parent}
      badge={<StateBadge webhook={webhook} />}
      actions={
        <>
          <MoreMenu actions={[rotation.action, removal.action]} isBusy={rotation.isBusy || removal.isBusy} />
          <Button loading={test.isBusy} onClick={test.send}>
            {t(($) => $.webhooks.test)}
          </Button>
        </>
      }
    >
      <Stack>
        <SendingNotice />
        <StateNotice webhook={webhook} />
        <Deliveries webhook={webhook} onShow={setShown} />
        <Settings webhook={webhook} />
      </Stack>
      {shown && (
        <DeliveryDialog webhook={webhook} delivery={shown} onSent={setShown} onClose={() => setShown(null)} />
      )}
      {issued && <SecretShown issued={issued} onClose={close} />}
    </Page>
  )
}

function Settings({ webhook }: { webhook: Webhook }) {
  const state = useRecordForm({
    kind: "webhooks",
    record: webhook,
    valuesOf: webhookValuesOf,
    onSaved: ({ url }) => tellDone(t(($) => $.common.saved, { name: url })),
  })
  return (
    <Section title={t(($) => $.webhooks.settings)}>
      <Facts
        of={[
          {
            label: t(($) => $.webhooks.lastSuccess),
            value: webhook.lastSuccessAt ? moment(webhook.lastSuccessAt) : t(($) => $.common.never),
          },
          { label: t(($) => $.common.created), value: moment(webhook.createdAt) },
        ]}
      />
      <RecordForm state={state} isMain={state.form.isDirty()}>
        <WebhookFields form={state.form} isNew={false} />
      </RecordForm>
    </Section>
  )
}
