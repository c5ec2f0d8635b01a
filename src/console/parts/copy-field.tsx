import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core"
import { IconCheck, IconCopy } from "./icons"
import { type ReactNode, useRef, useState } from "react"
import { t } from "../texts"
import { useRestoreFocus } from "./form-dialog"

type Props = {
  label: string
  /** The label of the button: "Copy API key" */
  copy: string
  value: string
  isLong?: boolean
  autoFocus?: boolean
}

/** A text to copy. Over plain http the browser does not allow copying, so the button selects the text instead. */
export function CopyField({ label, copy, value, isLong = false, autoFocus = false }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [outcome, setOutcome] = useState<"copied" | "selected" | null>(null)
  const copyOrSelect = async () => {
    if (await copyText(value)) return setOutcome("copied")
    field.current?.focus()
    field.current?.select()
    setOutcome("selected")
  }
  return (
    <div>
      {/* Browsers clip the text of a single-line input: in some fonts its underscores are then invisible. */}
      <Textarea
        label={label}
        value={value}
        readOnly
        ref={field}
        styles={{ input: { fontFamily: "monospace", overflowWrap: "anywhere" } }}
        autosize
        minRows={isLong ? 2 : 1}
        maxRows={8}
        onFocus={isLong ? undefined : (event) => event.currentTarget.select()}
      />
      <Group gap="sm" mt={6}>
        <CopyButton
          label={copy}
          isCopied={outcome === "copied"}
          autoFocus={autoFocus}
          onClick={copyOrSelect}
        />
        <Text size="sm" role="status">
          {outcome === "copied" && t(($) => $.parts.copied)}
          {outcome === "selected" && t(($) => $.parts.copyByHand)}
        </Text>
      </Group>
    </div>
  )
}

type ButtonProps = { label: string; isCopied: boolean; autoFocus: boolean; onClick: () => void }

const CopyButton = ({ label, isCopied, autoFocus, onClick }: ButtonProps) => (
  <Button
    size="xs"
    variant="default"
    data-autofocus={autoFocus || undefined}
    leftSection={isCopied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    onClick={onClick}
  >
    {label}
  </Button>
)

/** Returns whether the text was copied. Over plain http, browsers do not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

type ShownOnceProps = {
  title: string
  warning: string
  done: string
  onClose: () => void
  children: ReactNode
}

/** Shows a secret that cannot be shown again. Only the button closes the dialog, to prevent closing it by mistake. */
export function ShownOnce({ title, warning, done, onClose, children }: ShownOnceProps) {
  useRestoreFocus()
  return (
    <Modal
      opened
      onClose={() => {}}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Alert color="yellow" title={t(($) => $.parts.shownOnce)}>
          {warning}
        </Alert>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
