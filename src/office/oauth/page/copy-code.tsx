import { ActionIcon, Code, Group } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { IconCheck, IconCopy } from "../../../console/parts/icons"
import { useRef, useState } from "react"
import { copyText } from "../../../console/parts/copy-field"
import { t } from "../../../console/texts"

/** An inline text to copy. `copy` is the label of the button. If the browser does not allow copying, the button selects the text instead. */
export function CopyCode({ copy, value }: { copy: string; value: string }) {
  const text = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copyOrSelect = async () => {
    const done = await copyText(value)
    setCopied(done)
    if (!done && text.current) getSelection()?.selectAllChildren(text.current)
    notifications.show({
      message: done ? t(($) => $.parts.copied) : t(($) => $.parts.copyByHand),
      color: "teal",
    })
  }
  const Icon = isCopied ? IconCheck : IconCopy
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex" maw="100%">
      <Code ref={text} style={{ overflowWrap: "anywhere", minWidth: 0 }}>
        {value}
      </Code>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={copy} onClick={copyOrSelect}>
        <Icon size={14} />
      </ActionIcon>
    </Group>
  )
}
