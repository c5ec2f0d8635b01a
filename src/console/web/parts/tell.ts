import { notifications } from "@mantine/notifications"
import { messageOf } from "../api/client"
import type { Warning } from "../api/types"

/** Says that something was done. */
export const tellDone = (message: string): void => void notifications.show({ message, color: "teal" })

/** Says why something was not done. */
export const tellError = (error: unknown): void =>
  void notifications.show({ message: messageOf(error), color: "red" })

/** Says what the server has accepted with a reservation. */
export function tellWarnings(warnings: Warning[]): void {
  for (const { message } of warnings) notifications.show({ message, color: "yellow", autoClose: 8_000 })
}
