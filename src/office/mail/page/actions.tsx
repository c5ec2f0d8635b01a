import { Button, Group } from "@mantine/core"
import { call } from "../../../console/api/client"
import { useChange, useMay } from "../../../console/api/hooks"
import { confirm } from "../../../console/parts/confirm"
import { kindOf } from "../../../console/kinds"
import { tellDone, tellError } from "../../../console/parts/tell"
import type { Message } from "../model"
import { isRetryable } from "./outcome"
import { t } from "./texts"

/** True if the user may send and cancel messages about the records of a kind. */
export function useMaySend(): (kind: string) => boolean {
  const may = useMay()
  // Messages about users are about their passwords.
  return (kind) => may(kindOf(kind)?.right.area ?? "administration", kind === "users" ? "admin" : "write")
}

/** Sends a message again, after a question if it may arrive twice, or cancels it. */
export function useMessageActions({ id, version, status, to }: Message) {
  const change = useChange((verb: "retry" | "cancel") =>
    call<Message>("POST", `/messages/${id}/${verb}`, { body: {}, version }),
  )
  const run = (verb: "retry" | "cancel", done: string) =>
    change.mutate(verb, { onSuccess: () => tellDone(done), onError: tellError })
  const retry = async () => {
    const question = {
      title: t(($) => $.confirmRetry),
      text: t(($) => $.confirmRetryText, { to: to.join(", ") }),
      action: t(($) => $.retry),
    }
    if (status === "uncertain" && !(await confirm(question))) return
    run(
      "retry",
      t(($) => $.retried),
    )
  }
  return {
    retry: () => void retry(),
    cancel: () =>
      run(
        "cancel",
        t(($) => $.cancelled),
      ),
    isBusy: change.isPending,
  }
}

/** The buttons of a message: one that failed is sent again, and one that waits is cancelled. */
export function MessageButtons({ message, size = "sm" }: { message: Message; size?: "compact-xs" | "sm" }) {
  const maySend = useMaySend()
  const { retry, cancel, isBusy } = useMessageActions(message)
  const isWaiting = message.status === "queued"
  if (!maySend(message.kind) || (!isRetryable(message) && !isWaiting)) return null
  return (
    <Group gap="xs">
      {isRetryable(message) && (
        <Button size={size} variant="default" loading={isBusy} onClick={retry}>
          {t(($) => $.retry)}
        </Button>
      )}
      {isWaiting && (
        <Button size={size} variant="default" loading={isBusy} onClick={cancel}>
          {t(($) => $.cancel)}
        </Button>
      )}
    </Group>
  )
}
