import { Button, Menu } from "@mantine/core"
import { IconChevronDown, IconFileTypePdf } from "../../../console/parts/icons"
import { useEffect, useRef } from "react"
import { languages } from "../../../shared/languages"
import { BusyButton } from "../../../console/parts/busy-button"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { t as eInvoiceTexts } from "./e-invoice-texts"
import { isLetter, paperError, type PrintedKind } from "./paper-files"
import { xmlForms } from "../xml-forms"
import { type NotificationData, notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { callForBlob, hasMissingGlyphs } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import { hasUnsaved } from "../../../console/forms/unsaved"
import { useAttempt } from "../../../console/forms/use-record-form"
import { saveFile } from "../../../console/parts/files"
import { tellWarning } from "../../../console/parts/tell"
import { MissingList } from "./missing-list"

type Props = {
  kind: PrintedKind
  id: string
  /** True for an issued invoice or credit note: only these have e-invoices. */
  isIssued?: boolean
  /** True if it was cancelled after its issue: its PDF says so, and the one before is kept. */
  isCancelled?: boolean
  isDisabled?: boolean
}

/** The button that saves a document as a PDF, and a menu with its other files. */
export function PdfButton({ isDisabled, ...document }: Props) {
  const { kind, id } = document
  const { save, print, isSaving } = useSavePaper()
  const target = useRef<HTMLButtonElement>(null)
  const fromMenu = (act: (path: string) => void) => (path: string) => {
    // The entry disappears with the menu.
    target.current?.focus()
    act(path)
  }
  return (
    <Button.Group>
      <BusyButton
        variant="light"
        leftSection={<IconFileTypePdf size={16} />}
        disabled={isDisabled}
        isBusy={isSaving}
        onClick={() => save(`/${kind}/${id}/pdf`)}
      >
        {t(($) => $.paper.pdf)}
      </BusyButton>
      <Menu position="bottom-end" keepMounted={false}>
        <Menu.Target>
          <Button
            ref={target}
            variant="light"
            px={8}
            aria-label={t(($) => $.paper.otherFiles)}
            disabled={isDisabled}
          >
            <IconChevronDown size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Files {...document} onSave={fromMenu(save)} onPrint={fromMenu(print)} />
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}

type FilesProps = Pick<Props, "kind" | "id" | "isIssued" | "isCancelled"> &
  Record<"onSave" | "onPrint", (path: string) => void>

/** The entries of the menu: the PDF in each language, the forms of XML, and the PDF in a new tab to print. */
const Files = ({ kind, id, isIssued, isCancelled, onSave, onPrint }: FilesProps) => (
  <>
    {!isLetter(kind) && (
      <>
        <Menu.Label>{t(($) => $.paper.pdfIn)}</Menu.Label>
        {languages.map((language) => (
          <Menu.Item key={language} onClick={() => onSave(`/${kind}/${id}/pdf?language=${language}`)}>
            {common(($) => $.values.language[language])}
          </Menu.Item>
        ))}
        <Menu.Divider />
      </>
    )}
    {isIssued && isCancelled && (
      <>
        <Menu.Item onClick={() => onSave(`/${kind}/${id}/pdf?state=issued`)}>
          {t(($) => $.paper.asIssued)}
        </Menu.Item>
        <Menu.Divider />
      </>
    )}
    {isIssued && (
      <>
        <Menu.Label>{t(($) => $.paper.eInvoices)}</Menu.Label>
        {xmlForms.map(({ format, profile, name }) => (
          <Menu.Item
            key={name}
            onClick={() => onSave(`/${kind}/${id}/xml?format=${format}&profile=${profile}`)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
      </>
    )}
    <Menu.Item onClick={() => onPrint(`/${kind}/${id}/pdf`)}>{t(($) => $.paper.print)}</Menu.Item>
  </>
)

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
    title: eInvoiceTexts(($) => $.notValid),
    message: <MissingList missing={error.details} />,
    color: "red",
    autoClose: false,
  }
}
