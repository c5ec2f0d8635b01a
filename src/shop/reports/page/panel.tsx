import { Anchor, Group, Paper, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { t } from "../../../console/texts"

type PanelProps = {
  title: string
  badge?: ReactNode
  /** The list of all records, and what a screen reader calls the link to it. */
  more?: { href: string; label: string }
  children: ReactNode
}

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
        <Anchor component={Link} href={more.href} size="sm" aria-label={more.label}>
          {t(($) => $.common.viewAll)}
        </Anchor>
      )}
    </Group>
    {children}
  </Paper>
)
