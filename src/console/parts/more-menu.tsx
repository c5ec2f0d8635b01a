import { ActionIcon, Menu, Text } from "@mantine/core"
import { IconDots } from "./icons"
import { type ReactNode, useRef } from "react"
import { t } from "../texts"

/** A rarely used or destructive action. It asks for confirmation itself if it is destructive. */
export type MoreAction = {
  label: string
  onClick: () => void
  /** Why the action is not possible at the moment. */
  blockedBy?: string
}

type Props = { actions: (MoreAction | false)[]; isBusy?: boolean }

/** The menu of the actions that are not the main one of a page. */
export function MoreMenu({ actions, isBusy }: Props) {
  const target = useRef<HTMLButtonElement>(null)
  const shown = actions.filter((action) => action !== false)
  if (shown.length === 0) return null
  return (
    <Menu position="bottom-end" keepMounted={false}>
      <Menu.Target>
        <ActionIcon
          ref={target}
          variant="default"
          size={36}
          aria-label={t(($) => $.parts.moreActions)}
          loading={isBusy}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {shown.map((action) => (
          <Entry
            key={action.label}
            {...action}
            onClick={() => {
              // A dialog returns the focus to where it was. The entry itself disappears with the menu.
              target.current?.focus()
              action.onClick()
            }}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A blocked action can still be reached by keyboard, so that everybody can read the reason. */
const Entry = ({ label, onClick, blockedBy }: MoreAction) => (
  <Menu.Item
    onClick={blockedBy ? undefined : onClick}
    closeMenuOnClick={!blockedBy}
    aria-disabled={blockedBy ? true : undefined}
    c={blockedBy ? "dimmed" : undefined}
  >
    {label}
    {blockedBy && (
      <Text size="xs" c="dimmed" maw={240}>
        {blockedBy}
      </Text>
    )}
  </Menu.Item>
)

/** Stands for the element in the text. It is the Unicode character for an object in a text. */
const slot = "\uFFFC"

/** A text with an element in the place of one of its values, such as a link in a sentence. */
export function TextAround({ text, children }: { text: (slot: string) => string; children: ReactNode }) {
  const [before, after] = text(slot).split(slot)
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}
