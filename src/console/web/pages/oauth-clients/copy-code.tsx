import { ActionIcon, Code, Group } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { IconCheck, IconCopy } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { copyText } from "../../parts/copy-field"

/** An inline text to copy. If the browser does not allow copying, the button selects the text instead. */
export function CopyCode({ label, value }: { label: string; value: string }) {
  const text = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    const done = await copyText(value)
    setCopied(done)
    if (!done && text.current) getSelection()?.selectAllChildren(text.current)
    notifications.show({
      message: done ? "Copied." : "Press Ctrl+C (Mac: Cmd+C) to copy.",
      color: "teal",
    })
  }
  const Icon = isCopied ? IconCheck : IconCopy
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex" maw="100%">
      <Code ref={text} style={{ overflowWrap: "anywhere", minWidth: 0 }}>
        {value}
      </Code>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Copy ${label}`} onClick={copy}>
        <Icon size={14} />
      </ActionIcon>
    </Group>
  )
}
