import { Group, Paper, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"

type Props = {
  title: string
  /** The label and the value of each row. Rows without a value are left out. */
  rows: (readonly [label: string, value: ReactNode] | false | null)[]
  children?: ReactNode
}

/** A box with a title and a few labelled amounts. */
export function Figures({ title, rows, children }: Props) {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {rows
        .filter((row) => row !== false && row !== null)
        .map(([label, value]) => (
          <Group key={label} justify="space-between" gap="md" wrap="nowrap" align="baseline">
            <Text size="sm">{label}</Text>
            <Text size="sm" className="figures" ta="right" component="div">
              {value}
            </Text>
          </Group>
        ))}
      {children}
    </Paper>
  )
}
