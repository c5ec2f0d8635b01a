import { Alert, Box, Button, Code, Group, Modal, Stack, Text as Hint, Title } from "@mantine/core"
import type { ReactNode } from "react"
import type { Delivery, Webhook } from "../../../console/api/types"
import { moment, number } from "../../../console/format"
import { Facts } from "../../../console/parts/facts"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { t } from "../../../console/texts"
import { useSendAgain } from "./actions"
import { DeliveryBadge } from "./deliveries"

type Props = {
  webhook: Webhook
  delivery: Delivery
  /** Called with the result after the event was sent again. */
  onSent: (delivery: Delivery) => void
  onClose: () => void
}

/** One delivery: the request, the response, and the button that sends it again. */
export function DeliveryDialog({ webhook, delivery, onSent, onClose }: Props) {
  useRestoreFocus()
  const again = useSendAgain(webhook.id, onSent)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(($) => $.webhooks.deliveryOf, { type: delivery.type })}
      size="xl"
      closeButtonProps={{ "aria-label": t(($) => $.common.close) }}
    >
      <Stack>
        <Summary delivery={delivery} />
        <Sent webhook={webhook} delivery={delivery} />
        <Answered delivery={delivery} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(($) => $.common.close)}
          </Button>
          <Button loading={again.isBusy} onClick={() => again.send(delivery.id)}>
            {t(($) => $.webhooks.sendAgain)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const Sent = ({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) => (
  <Part title={t(($) => $.webhooks.request)}>
    <Text>{requestHead(webhook, delivery)}</Text>
    <Text>{indented(delivery.request)}</Text>
    {webhook.payload === "full" && <Hint size="sm">{t(($) => $.webhooks.withoutRecord)}</Hint>}
  </Part>
)

const Answered = ({ delivery: { responseStatus, response, ...failure } }: { delivery: Delivery }) => (
  <Part title={t(($) => $.webhooks.answer)}>
    {failure.error && (
      <Alert color="red" p="xs">
        {failureInWords(failure)}
      </Alert>
    )}
    {responseStatus !== null && (
      <Text>{`${responseStatus}\n\n${response || t(($) => $.webhooks.emptyAnswer)}`}</Text>
    )}
  </Part>
)

const Summary = ({ delivery }: { delivery: Delivery }) => (
  <Facts
    of={[
      { label: t(($) => $.common.status), value: <DeliveryBadge status={delivery.status} /> },
      { label: t(($) => $.webhooks.time), value: moment(delivery.updatedAt) },
      { label: t(($) => $.audit.timeUtc), value: <Code>{delivery.updatedAt}</Code> },
      { label: t(($) => $.webhooks.attempts), value: number(delivery.attempts) },
      {
        label: t(($) => $.webhooks.nextAttempt),
        value: delivery.nextAttemptAt && moment(delivery.nextAttemptAt),
      },
      {
        label: t(($) => $.webhooks.duration),
        value: t(($) => $.webhooks.milliseconds, { shown: number(delivery.durationMs) }),
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
  return t(($) => $.webhooks.failures[errorCode], { host, seconds, reason })
}

/** JSON with line breaks. */
const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)
