import { notifications, type NotificationData } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { callForBlob, hasMissingGlyphs } from "../../console/api/client"
import { ApiError } from "../../console/api/send"
import { hasUnsaved } from "../../console/forms/unsaved"
import { useAttempt } from "../../console/forms/use-attempt"
import { saveFile } from "../../console/parts/save-file"
import { tellWarning } from "../../console/parts/tell"
import { t } from "../../console/texts"
import { MissingList } from "./missing-list"
import { paperError } from "./paper-files"

/**
 * Saves a file of a document under the name that the server gives it, or shows a PDF in a new tab, where it can be
 * printed. Tells what is special about the file.
 */
export function useSavePaper() {
  const client = useQueryClient()
  const { run, isSaving } = useAttempt()
  const tellPaperError = useErrorOfPage()
  const save = async (path: string, tab: Window | null = null) => {
    try {
      const file = await callForBlob("GET", path)
      // The tab may load the file again, so its URL stays valid.
      if (tab) tab.location.href = URL.createObjectURL(file.blob)
      else saveFile(file.blob, file.name ?? "document")
      if (hasMissingGlyphs(file)) tellWarning(t(($) => $.paper.glyphsMissing))
      if (hasUnsaved()) tellWarning(t(($) => $.paper.unsaved))
      // The first download of a file is part of the history.
      await client.invalidateQueries({ queryKey: ["audit-logs"] })
    } catch (error) {
      tab?.close()
      tellPaperError(error)
    }
  }
  return {
    save: (path: string) => void run(() => save(path)),
    // Browsers allow a new tab only during a click. If one does not, the PDF is saved.
    print: (path: string) => void run(() => save(path, window.open())),
    isSaving,
  }
}

/** Returns a function that shows an error. It replaces the one before, and closes when the user leaves the page. */
function useErrorOfPage(): (error: unknown) => void {
  const shown = useRef<string | null>(null)
  const hide = () => {
    if (shown.current !== null) notifications.hide(shown.current)
  }
  useEffect(() => hide, [])
  return (error) => {
    hide()
    shown.current = notifications.show(noticeOf(error))
  }
}

/** An e-invoice that would not be valid is refused with the list of what is missing. */
function noticeOf(error: unknown): NotificationData {
  const message = paperError(error)
  if (!(error instanceof ApiError) || error.code !== "E_INVOICE_INVALID") return { message, color: "red" }
  return {
    title: t(($) => $.eInvoice.notValid),
    message: <MissingList missing={error.details} />,
    color: "red",
    autoClose: false,
  }
}
