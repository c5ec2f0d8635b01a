import { Group, Text } from "@mantine/core"
import { IconAlertTriangle } from "../../../console/parts/icons"
import type { ReactNode } from "react"

/** Darker than the library's darkest orange, which has too little contrast for small text on white. */
const colour = "light-dark(#b33a06, var(--mantine-color-orange-4))"

/** A warning that does not block saving. */
export const Note = ({ children }: { children: ReactNode }) => (
  <Group gap={4} mt={4} wrap="nowrap" align="center" style={{ color: colour }}>
    <IconAlertTriangle size={14} style={{ flexShrink: 0 }} aria-hidden />
    <Text size="xs" fw={600} c="inherit">
      {children}
    </Text>
  </Group>
)
