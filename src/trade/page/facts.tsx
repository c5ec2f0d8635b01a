import { SimpleGrid, Text } from "@mantine/core"
import type { ReactNode } from "react"

/** The read-only fields of a document, each with a label. */
export const Facts = ({ facts }: { facts: { label: string; value: ReactNode }[] }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md" verticalSpacing="sm" component="dl" m={0}>
    {facts.map(({ label, value }) => (
      <div key={label}>
        <Text component="dt" size="xs" c="dimmed">
          {label}
        </Text>
        <Text component="dd" size="sm" m={0} style={{ whiteSpace: "pre-line" }}>
          {value}
        </Text>
      </div>
    ))}
  </SimpleGrid>
)
