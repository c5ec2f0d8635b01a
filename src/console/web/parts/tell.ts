import { notifications } from "@mantine/notifications"
import { messageOf } from "../api/client"
import type { Warning } from "../api/types"
import { warningMessage } from "../texts/errors"

let lastDone: string | undefined

/** Shows a success message. It replaces the one before, so that messages do not pile up over the page. */
export function tellDone(message: string): void {
  if (lastDone) notifications.hide(lastDone)
  lastDone = notifications.show({ message, color: "teal" })
}

/** Shows an error message. */
export const tellError = (error: unknown): void =>
  void notifications.show({ message: messageOf(error), color: "red" })

/** Shows the warnings of a successful request. */
export function tellWarnings(warnings: Warning[]): void {
  for (const warning of warnings)
    notifications.show({ message: warningMessage(warning), color: "yellow", autoClose: 8_000 })
}
