import { Anchor, List, Paper, Text, Title } from "@mantine/core"
import { Link } from "wouter"
import { useMay, useMe } from "../../api/hooks"
import type { Summary } from "../../api/types"

/** The setup steps that are not done yet. */
export function FirstSteps({ counts }: { counts: Summary["counts"] }) {
  const may = useMay()
  const { company } = useMe()
  const steps = [
    may("administration", "admin") &&
      !company.name && { text: "Add your company details", href: "/settings/company" },
    may("items", "write") && counts.items === 0 && { text: "Add your first item", href: "/items/new" },
    may("customers", "write") &&
      counts.customers === 0 && { text: "Add your first customer", href: "/customers/new" },
  ].filter((step) => step !== false)
  if (steps.length === 0) return null
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        Get started
      </Title>
      <List>
        {steps.map(({ text, href }) => (
          <List.Item key={href}>
            <Anchor component={Link} href={href}>
              {text}
            </Anchor>
          </List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed" mt="sm">
        Then create an order, submit it and invoice it.
      </Text>
    </Paper>
  )
}
