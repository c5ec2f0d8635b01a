import { Anchor, Group, Paper, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"

type PanelProps = { title: string; badge?: ReactNode; more?: string; children: ReactNode }

/** A section of the dashboard, with a title. */
export const Panel = ({ title, badge, more, children }: PanelProps) => (
  <Paper withBorder p="md" h="100%" component="section" aria-label={title}>
    <Group justify="space-between" mb="sm">
      <Group gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {badge}
      </Group>
      {more && (
        <Anchor component={Link} href={more} size="sm" aria-label={`View all: ${title.toLowerCase()}`}>
          View all
        </Anchor>
      )}
    </Group>
    {children}
  </Paper>
)
