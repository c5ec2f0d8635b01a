import { Box, SimpleGrid, Text } from "@mantine/core"
import type { ReactNode } from "react"

export type Fact = { label: string; value: ReactNode }

/** Read-only values, each below its label. */
export const Facts = ({ of, columns = 2 }: { of: Fact[]; columns?: number }) => (
  <SimpleGrid component="dl" cols={{ base: 1, xs: columns }} spacing="sm" verticalSpacing="xs" m={0}>
    {of.map(({ label, value }) => (
      <div key={label}>
        <Text component="dt" size="xs" c="dimmed">
          {label}
        </Text>
        <Box component="dd" m={0} fz="sm">
          {value === null || value === undefined || value === "" ? "–" : value}
        </Box>
      </div>
    ))}
  </SimpleGrid>
)
