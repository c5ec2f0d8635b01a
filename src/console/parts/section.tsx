import { Paper, Stack, Title } from "@mantine/core"
import type { ReactNode } from "react"

/** A section of a page, with a heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="md">
    <Title order={2} size="h4" mb="sm">
      {title}
    </Title>
    <Stack>{children}</Stack>
  </Paper>
)
