import { Kbd, Modal, Table } from "@mantine/core"
import { useEffect } from "react"
import { t } from "../texts"

/** The keys that work on every page. Ctrl+K is a part of the search. */
export function useShortcuts(showList: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && !event.shiftKey && event.key.toLowerCase() === "s") saveForm(event)
      else if (!isCommand && event.key === "?" && isFree(event.target)) {
        event.preventDefault()
        showList()
      }
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [showList])
}

/** Inputs in which a key does not type. */
const notTyped = ["checkbox", "radio", "button", "submit", "file"]

/** True if the key types nothing, and no dialog is open. */
function isFree(target: EventTarget | null): boolean {
  if (topDialog() !== undefined || !(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return notTyped.includes(target.type)
  return !target.isContentEditable && target.closest("textarea, select, [role=combobox]") === null
}

const topDialog = () => [...document.querySelectorAll<HTMLElement>("[aria-modal=true]")].at(-1)

/** A page is never saved as a file: the key saves the form that has the focus, or the only one of the dialog or page. */
function saveForm(event: KeyboardEvent): void {
  event.preventDefault()
  if (event.repeat) return
  const place = topDialog() ?? document.getElementById("content")
  const forms = [...(place?.querySelectorAll("form") ?? [])].filter((form) => submitOf(form) !== null)
  const { activeElement: focused } = document
  const form = forms.find((each) => each.contains(focused)) ?? (forms.length === 1 ? forms[0] : undefined)
  if (!form) return
  commitTags(focused)
  // Not before the form knows what was typed.
  setTimeout(() => form.isConnected && form.requestSubmit(submitOf(form)))
}

const submitOf = (form: HTMLFormElement) =>
  form.querySelector<HTMLButtonElement>("button[type=submit]:not(:disabled)")

/** A list of texts takes the text that is being typed when it loses the focus, as it does by a click on the button. */
function commitTags(focused: Element | null): void {
  if (!(focused instanceof HTMLElement) || !focused.closest(".mantine-TagsInput-root")) return
  focused.blur()
  focused.focus()
}

const shortcuts = () => [
  { keys: t(($) => $.shell.searchKeys), does: t(($) => $.shell.shortcut.search) },
  { keys: t(($) => $.shell.saveKeys), does: t(($) => $.shell.shortcut.save) },
  { keys: "Enter", does: t(($) => $.shell.shortcut.nextLine) },
  { keys: "↑ ↓", does: t(($) => $.shell.shortcut.choose) },
  { keys: "Tab", does: t(($) => $.shell.shortcut.nextField) },
  { keys: "Esc", does: t(($) => $.shell.shortcut.close) },
  { keys: "?", does: t(($) => $.shell.shortcut.list) },
]

/** The list of the shortcuts. */
export const ShortcutList = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Modal opened={isOpen} onClose={onClose} title={t(($) => $.shell.shortcuts)} centered>
    <Table withRowBorders={false}>
      <Table.Tbody>
        {shortcuts().map(({ keys, does }) => (
          <Table.Tr key={keys}>
            <Table.Th scope="row" w={120}>
              <Kbd>{keys}</Kbd>
            </Table.Th>
            <Table.Td>{does}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Modal>
)
