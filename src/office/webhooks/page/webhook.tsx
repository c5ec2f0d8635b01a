import { Alert, Box, Button, Code, Group, Text as Hint, Modal, Stack, Title } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { useRecord } from "../../../console/api/hooks"
import type { Delivery, Webhook } from "../../../console/api/types"
import { moment, number } from "../../../console/format"
import { RecordForm } from "../../../console/forms/record-form"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { Facts, Loaded, Page, Section } from "../../../console/parts/page"
import { MoreMenu } from "../../../console/parts/more-menu"
import { tellDone } from "../../../console/parts/tell"
import { useDelete } from "../../../console/parts/use-delete"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { Deliveries, DeliveryBadge, readEvery } from "./deliveries"
import { WebhookFields, webhookValuesOf } from "./fields"
import { SecretShown, SendingNotice } from "./list"
import { StateBadge, StateNotice } from "./state"
import { useRotate, useSendAgain, useTest } from "./actions"
import { useRestoreFocus } from "../../../console/parts/form-dialog"

const parent = { title: common(($) => $.kinds.webhooks.title), href: "/settings/webhooks" }

/** The page of a webhook: its form, and what was sent to it. */
export default function WebhookPage({ id }: { id: string }) {
  return (
    <Loaded query={useRecord("webhooks", id, readEvery)}>
      {(webhook) => <Existing webhook={webhook} />}
    </Loaded>
  )
}

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
            {t(($) => $.test)}
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
    onSaved: ({ url }) => tellDone(common(($) => $.common.saved, { name: url })),
  })
  return (
    <Section title={t(($) => $.settings)}>
      <Facts
        of={[
          {
            label: t(($) => $.lastSuccess),
            value: webhook.lastSuccessAt ? moment(webhook.lastSuccessAt) : common(($) => $.common.never),
          },
          { label: common(($) => $.common.created), value: moment(webhook.createdAt) },
        ]}
      />
      <RecordForm state={state} isMain={state.form.isDirty()}>
        <WebhookFields form={state.form} isNew={false} />
      </RecordForm>
    </Section>
  )
}

type Props = {
  webhook: Webhook
  delivery: Delivery
  /** Called with the result after the event was sent again. */
  onSent: (delivery: Delivery) => void
  onClose: () => void
}

/** One delivery: the request, the response, and the button that sends it again. */
function DeliveryDialog({ webhook, delivery, onSent, onClose }: Props) {
  useRestoreFocus()
  const again = useSendAgain(webhook.id, onSent)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(($) => $.deliveryOf, { type: delivery.type })}
      size="xl"
      closeButtonProps={{ "aria-label": common(($) => $.common.close) }}
    >
      <Stack>
        <Summary delivery={delivery} />
        <Sent webhook={webhook} delivery={delivery} />
        <Answered delivery={delivery} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common(($) => $.common.close)}
          </Button>
          <Button loading={again.isBusy} onClick={() => again.send(delivery.id)}>
            {t(($) => $.sendAgain)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const Sent = ({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) => (
  <Part title={t(($) => $.request)}>
    <Text>{requestHead(webhook, delivery)}</Text>
    <Text>{indented(delivery.request)}</Text>
    {webhook.payload === "full" && <Hint size="sm">{t(($) => $.withoutRecord)}</Hint>}
  </Part>
)

const Answered = ({ delivery: { responseStatus, response, ...failure } }: { delivery: Delivery }) => (
  <Part title={t(($) => $.answer)}>
    {failure.error && (
      <Alert color="red" p="xs">
        {failureInWords(failure)}
      </Alert>
    )}
    {responseStatus !== null && <Text>{`${responseStatus}\n\n${response || t(($) => $.emptyAnswer)}`}</Text>}
  </Part>
)

const Summary = ({ delivery }: { delivery: Delivery }) => (
  <Facts
    of={[
      { label: common(($) => $.common.status), value: <DeliveryBadge status={delivery.status} /> },
      { label: t(($) => $.time), value: moment(delivery.updatedAt) },
      { label: t(($) => $.timeUtc), value: <Code>{delivery.updatedAt}</Code> },
      { label: t(($) => $.attempts), value: number(delivery.attempts) },
      {
        label: t(($) => $.nextAttempt),
        value: delivery.nextAttemptAt && moment(delivery.nextAttemptAt),
      },
      {
        label: t(($) => $.duration),
        value: t(($) => $.milliseconds, { shown: number(delivery.durationMs) }),
      },
    ]}
  />
)

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box>
    <Title order={3} size="h5" mb="xs">
      {title}
    </Title>
    <Stack gap="xs">{children}</Stack>
  </Box>
)

const Text = ({ children }: { children: string }) => (
  <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
    {children}
  </Code>
)

/** The headers of the last attempt. */
const requestHead = ({ url }: Webhook, { requestHeaders }: Delivery): string =>
  [`POST ${url}`, ...Object.entries(requestHeaders ?? {}).map(([name, value]) => `${name}: ${value}`)].join(
    "\n",
  )

/** Why there was no response, in the user's language. Deliveries of older versions have only the English sentence. */
function failureInWords({
  error,
  errorCode,
  errorParams,
}: Pick<Delivery, "error" | "errorCode" | "errorParams">) {
  if (errorCode === null) return error
  const { host = "", seconds = "", reason = "" } = errorParams ?? {}
  return t(($) => $.failures[errorCode], { host, seconds, reason })
}

/** JSON with line breaks. */
const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)
