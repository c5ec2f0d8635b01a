import { Button, Group, Stack, Text } from "@mantine/core"
import { type ReactNode, useEffect, useId, useState } from "react"
import { IconChevronDown, IconChevronRight } from "../parts/icons"

type Props = {
  label: string
  /** What is shown of the content while it is folded. */
  inShort?: string
  /** True if something in it must be seen, such as an error. */
  mustShow?: boolean
  /** Opens it when it becomes true. */
  isNamed?: boolean
  children: ReactNode
}

/** Inputs that few people need. They are shown on request. */
export function Fold({ label, inShort, mustShow = false, isNamed = false, children }: Props) {
  const id = useId()
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (isNamed) setWanted(true)
  }, [isNamed])
  const isOpen = isWanted || mustShow
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div>
      <Group gap="xs" mt="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Chevron size={16} />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setWanted(!isOpen)}
        >
          {label}
        </Button>
        {!isOpen && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {inShort}
          </Text>
        )}
      </Group>
      <Stack id={id} gap="sm" mt={isOpen ? "sm" : 0}>
        {isOpen && children}
      </Stack>
    </div>
  )
}
