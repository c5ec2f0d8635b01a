import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { t } from "./texts"
import type { IssuedWebhook } from "./fields"

/** The webhook whose secret is shown now. */
export function useIssued() {
  const client = useQueryClient()
  const [issued, setIssued] = useState<IssuedWebhook | null>(null)
  const show = (given: IssuedWebhook) => {
    // Removes the secret from the query cache. Only the dialog may keep it.
    const { secret, ...webhook } = given
    client.setQueryData(["webhooks", given.id], webhook)
    if (secret) return setIssued(given)
    // The first response was lost, and the response to a repeated request does not contain the secret.
    notifications.show({
      title: t(($) => $.notReceived),
      message: t(($) => $.notReceivedText),
      color: "yellow",
      autoClose: false,
    })
  }
  return { issued, show, close: () => setIssued(null) }
}
