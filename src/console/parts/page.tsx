import { Breadcrumbs, Anchor, Group, Title } from "@mantine/core"
import { useEffect, type ReactNode } from "react"
import { Link } from "wouter"

type Props = {
  title: string
  /** The status next to the title. */
  badge?: ReactNode
  /** The parent page in the breadcrumbs. */
  parent?: { title: string; href: string }
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every page: breadcrumbs, title and actions. */
export function Page({ title, badge, parent, actions, children }: Props) {
  useEffect(() => void (document.title = `${title} · Kontor`), [title])
  return (
    <>
      {parent && (
        <Breadcrumbs mb={4}>
          <Anchor component={Link} href={parent.href} size="sm">
            {parent.title}
          </Anchor>
        </Breadcrumbs>
      )}
      <Group justify="space-between" mb="md" gap="sm">
        <Group gap="sm" miw={0}>
          <Title order={1} size="h2" miw={0} tabIndex={-1} style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {badge}
        </Group>
        <Group gap="xs" className="no-print">
          {actions}
        </Group>
      </Group>
      {children}
    </>
  )
}
