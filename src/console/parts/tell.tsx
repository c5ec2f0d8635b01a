import { Button, Group } from "@mantine/core"
import { notifications, notificationsStore } from "@mantine/notifications"
import type { ReactNode } from "react"
import { messageOf } from "../api/client"
import type { Warning } from "../api/types"
import { t } from "../texts"
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

/** A message with a button that takes back what it tells. */
export const Undoable = ({ message, onUndo }: { message: string; onUndo: () => void }) => (
  <Group justify="space-between" wrap="nowrap">
    {message}
    <Button size="compact-sm" variant="default" onClick={onUndo}>
      {t(($) => $.lists.undo)}
    </Button>
  </Group>
)

/** Shows a message with a button that takes back what it tells, until the returned function is called. */
export function tellUndoable(message: string, onUndo: () => void): () => void {
  const id = notifications.show({
    message: <Undoable message={message} onUndo={onUndo} />,
    color: "teal",
    autoClose: false,
    withCloseButton: false,
  })
  return () => notifications.hide(id)
}

/** Shows an error message. It ends with the page. */
export const tellError = (error: unknown): void =>
  void notifications.show({ message: messageOf(error), color: "red" })

/** The error messages that belong to a page that is about to be opened. */
const ofNextPage = new Set<string>()

/** Shows an error message that belongs to the page that is opened next. It stays until that page is left, or it is closed. */
export const tellErrorOnNextPage = (error: unknown): void =>
  void ofNextPage.add(notifications.show({ message: messageOf(error), color: "red", autoClose: false }))

/** Ends the error messages of the page before. Call it when another page is shown. */
export function endErrors(): void {
  for (const { id, color } of notificationsStore.getState().notifications)
    if (id !== undefined && color === "red" && !ofNextPage.delete(id)) notifications.hide(id)
}

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
