import { Alert, Button, Text } from "@mantine/core"
import { call } from "../../../console/api/client"
import { useChange, useRead } from "../../../console/api/hooks"
import type { WebhookSending } from "../../../console/api/types"
import { confirm } from "../../../console/parts/confirm"
import { tellDone, tellError } from "../../../console/parts/tell"
import { t } from "../../../console/texts"

/** Tells that nothing is sent: after a restore, until an admin resumes it, or because the server never sends. */
export function SendingNotice() {
  const { data } = useRead<WebhookSending>("/webhooks/status")
  if (!data || data.isSending) return null
  if (data.isSwitchedOff)
    return (
      <Alert color="gray" role="status" mb="md" title={t(($) => $.webhooks.switchedOff)}>
        {t(($) => $.webhooks.switchedOffText)}
      </Alert>
    )
  return (
    <Alert color="orange" role="status" mb="md" title={t(($) => $.webhooks.paused)}>
      <Text size="sm" mb="sm">
        {t(($) => $.webhooks.pausedText)}
      </Text>
      <Resume />
    </Alert>
  )
}

function Resume() {
  const resume = useChange(() => call("POST", "/webhooks/resume", { body: {} }))
  const ask = async () => {
    const question = {
      title: t(($) => $.webhooks.confirmResume),
      text: t(($) => $.webhooks.confirmResumeText),
      action: t(($) => $.webhooks.resume),
      isDangerous: false,
    }
    if (!(await confirm(question))) return
    resume.mutate(undefined, { onSuccess: () => tellDone(t(($) => $.webhooks.resumed)), onError: tellError })
  }
  return (
    <Button size="xs" variant="default" loading={resume.isPending} onClick={() => void ask()}>
      {t(($) => $.webhooks.resume)}
    </Button>
  )
}
