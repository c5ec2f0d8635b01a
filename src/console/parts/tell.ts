import { notifications } from "@mantine/notifications"
import type { ReactNode } from "react"
import { messageOf } from "../api/client"
import type { Warning } from "../api/types"
import { warningMessage } from "../texts/errors"

let lastDone: string | null = null

/**
 * Shows a success message. It replaces the one before, which may no longer be true: a payment that was recorded and
 * deleted again.
 */
export function tellDone(message: ReactNode, autoClose?: number): void {
  if (lastDone) notifications.hide(lastDone)
  lastDone = notifications.show({ message, color: "teal", autoClose })
}

/** Shows an error message. */
export const tellError = (error: unknown): void =>
  void notifications.show({ message: messageOf(error), color: "red" })

/** Shows what the user should know about something that succeeded. */
export const tellWarning = (message: string, autoClose: number | false = 8_000): void =>
  void notifications.show({ message, color: "yellow", autoClose })

/** Shows the warnings of a successful request. */
export function tellWarnings(warnings: Warning[]): void {
  for (const warning of warnings) tellWarning(warningMessage(warning))
}

/** Returns the warnings that the user has not seen in a dialog before. */
export const unknownOf = (warnings: readonly Warning[], known: readonly Warning[]): Warning[] =>
  warnings.filter((warning) => !known.some((each) => each.message === warning.message))
