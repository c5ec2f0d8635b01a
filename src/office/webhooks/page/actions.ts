import { call } from "../../../console/api/client"
import { useChange } from "../../../console/api/hooks"
import type { Delivery, Webhook } from "../../../console/api/types"
import { useIntentions } from "../../../console/forms/use-record-form"
import { confirm } from "../../../console/parts/confirm"
import type { MoreAction } from "../../../console/parts/more-menu"
import { tellDone, tellError } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import type { IssuedWebhook } from "./fields"
import { useIssued } from "./use-issued"

/** Sends a test event, and shows the request and the response. */
export function useTest({ id }: Webhook, onSent: (delivery: Delivery) => void) {
  const test = useChange(() => call<Delivery>("POST", `/webhooks/${id}/test`, { body: {} }))
  const send = () => test.mutate(undefined, { onSuccess: ({ data }) => onSent(data), onError: tellError })
  return { send, isBusy: test.isPending }
}

/** Sends a delivery again. */
export function useSendAgain(webhook: string, onSent: (delivery: Delivery) => void) {
  const again = useChange((id: string) =>
    call<Delivery>("POST", `/webhooks/${webhook}/deliveries/${id}/redeliver`, { body: {} }),
  )
  const send = (id: string) => again.mutate(id, { onSuccess: ({ data }) => onSent(data), onError: tellError })
  return { send, isBusy: again.isPending }
}

/** Makes the user responsible for a webhook. Every update does that, so it need not change anything else. */
export function useTakeOver({ id, version }: Webhook) {
  const update = useChange(() => call("PUT", `/webhooks/${id}`, { body: { isActive: true }, version }))
  const onSuccess = () => tellDone(t(($) => $.takenOver))
  return { take: () => update.mutate(undefined, { onSuccess, onError: tellError }), isBusy: update.isPending }
}

/** Rotates the secret after a question. */
export function useRotate({ id, version, url, disabledReason }: Webhook) {
  const intentions = useIntentions()
  const { issued, show, close } = useIssued()
  const path = `/webhooks/${id}/rotate`
  const rotate = useChange((idempotencyKey: string) =>
    call<IssuedWebhook>("POST", path, { body: {}, version, idempotencyKey }),
  )
  const ask = async () => {
    const question = {
      title: t(($) => $.confirmRotate, { url }),
      text: t(($) => (disabledReason === "restored" ? $.rotateRestoredText : $.confirmRotateText)),
      action: common(($) => $.common.rotate),
      isDangerous: false,
    }
    if (!(await confirm(question))) return
    rotate.mutate(intentions.of({ path, version }), {
      onSuccess: ({ data }) => show(data),
      onError: tellError,
    })
  }
  const action: MoreAction = { label: t(($) => $.rotate), onClick: () => void ask() }
  return { issued, close, action, isBusy: rotate.isPending }
}
