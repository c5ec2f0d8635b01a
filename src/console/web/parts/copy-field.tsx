import { Button, Group, Text, Textarea, TextInput } from "@mantine/core"
import { IconCheck, IconCopy } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { t } from "../texts"

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
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const [outcome, setOutcome] = useState<"copied" | "selected" | null>(null)
  const copyOrSelect = async () => {
    if (await copyText(value)) return setOutcome("copied")
    field.current?.focus()
    field.current?.select()
    setOutcome("selected")
  }
  const shared = { label, value, readOnly: true, ref: field, styles: { input: { fontFamily: "monospace" } } }
  return (
    <div>
      {isLong ? (
        <Textarea {...shared} autosize minRows={2} maxRows={8} />
      ) : (
        <TextInput {...shared} onFocus={(event) => event.currentTarget.select()} />
      )}
      <Group gap="sm" mt={6}>
        <Button
          size="xs"
          variant="default"
          data-autofocus={autoFocus || undefined}
          leftSection={outcome === "copied" ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={copyOrSelect}
        >
          {copy}
        </Button>
        <Text size="sm" role="status">
          {outcome === "copied" && t(($) => $.parts.copied)}
          {outcome === "selected" && t(($) => $.parts.copyByHand)}
        </Text>
      </Group>
    </div>
  )
}

/** Returns whether the text was copied. Over plain http, browsers do not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
