import { Alert, Button, Text } from "@mantine/core"
import { call } from "../../../console/api/client"
import { useChange, useRead } from "../../../console/api/hooks"
import type { WebhookSending } from "../../../console/api/types"
import { confirm } from "../../../console/parts/confirm"
import { tellDone, tellError } from "../../../console/parts/tell"
import { t } from "./texts"

/** Tells that nothing is sent: after a restore, until an admin resumes it, or because the server never sends. */
export function SendingNotice() {
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
      <Resume />
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
