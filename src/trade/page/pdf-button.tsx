import { Button, Menu } from "@mantine/core"
import { IconChevronDown, IconFileTypePdf } from "../../console/parts/icons"
import { useRef } from "react"
import { languages } from "../../shared/languages"
import { BusyButton } from "../../console/parts/busy-button"
import { t } from "../../console/texts"
import type { PaperKind } from "./paper-files"
import { useSavePaper } from "./use-save-paper"
import { xmlForms } from "./xml-forms"

type Props = {
  kind: PaperKind
  id: string
  /** True for an issued invoice or credit note: only these have e-invoices. */
  isIssued?: boolean
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

type FilesProps = Pick<Props, "kind" | "id" | "isIssued"> &
  Record<"onSave" | "onPrint", (path: string) => void>

/** The entries of the menu: the PDF in each language, the forms of XML, and the PDF in a new tab to print. */
const Files = ({ kind, id, isIssued, onSave, onPrint }: FilesProps) => (
  <>
    <Menu.Label>{t(($) => $.paper.pdfIn)}</Menu.Label>
    {languages.map((language) => (
      <Menu.Item key={language} onClick={() => onSave(`/${kind}/${id}/pdf?language=${language}`)}>
        {t(($) => $.values.language[language])}
      </Menu.Item>
    ))}
    {isIssued && (
      <>
        <Menu.Divider />
        <Menu.Label>{t(($) => $.paper.eInvoices)}</Menu.Label>
        {xmlForms.map(({ format, profile, name }) => (
          <Menu.Item
            key={name}
            onClick={() => onSave(`/${kind}/${id}/xml?format=${format}&profile=${profile}`)}
          >
            {name}
          </Menu.Item>
        ))}
      </>
    )}
    <Menu.Divider />
    <Menu.Item onClick={() => onPrint(`/${kind}/${id}/pdf`)}>{t(($) => $.paper.print)}</Menu.Item>
  </>
)
