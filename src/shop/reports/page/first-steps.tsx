import { Anchor, Group, List, Paper, Text, Title, VisuallyHidden } from "@mantine/core"
import { IconCircle, IconCircleCheck } from "../../../console/parts/icons"
import { Link } from "wouter"
import { useMay, useMe, useRead } from "../../../console/api/hooks"
import type { Settings, Summary } from "../../../console/api/types"
import { number } from "../../../console/format"
import { t } from "./texts"

type Step = { text: string; href: string; isDone: boolean }

/** The steps from an empty shop to the first invoice, for the rights of the user. Each is ticked when it is done. */
export function useFirstSteps(summary: Summary | undefined): Step[] {
  const may = useMay()
  const { company } = useMe()
  // The summary counts issued invoices only.
  const mayReadInvoices = may("invoices", "read")
  const { data: invoices = [] } = useRead<unknown[]>("/invoices?perPage=1&fields=id", mayReadInvoices)
  const isAdmin = may("administration", "admin")
  const { data: settings } = useRead<Settings>("/settings", isAdmin && !company.name)
  if (!summary) return []
  const { counts, latestOrders } = summary
  const steps: (Step | false)[] = [
    isAdmin && {
      text: t(($) => $.addCompany),
      href: "/settings/company",
      isDone: Boolean(company.name || settings?.legalName || settings?.address),
    },
    may("items", "write") && {
      text: t(($) => $.addItem),
      href: "/items/new",
      isDone: counts.items !== 0,
    },
    may("customers", "write") && {
      text: t(($) => $.addCustomer),
      href: "/customers/new",
      isDone: counts.customers !== 0,
    },
    may("sales-orders", "write") && {
      text: t(($) => $.createOrder),
      href: "/orders/new",
      isDone: latestOrders?.length !== 0,
    },
    may("invoices", "write") && {
      text: t(($) => $.createInvoice),
      href: "/invoices/new",
      isDone: invoices.length > 0,
    },
  ]
  return steps.filter((step) => step !== false)
}

/** The checklist of a new shop. */
export const FirstSteps = ({ steps }: { steps: Step[] }) => (
  <Paper withBorder p="md" component="section" aria-labelledby="first-steps">
    <Group justify="space-between" mb="sm">
      <Title order={2} size="h5" id="first-steps">
        {t(($) => $.getStarted)}
      </Title>
      <Text size="sm" c="dimmed">
        {t(($) => $.stepsDone, {
          done: number(steps.filter(({ isDone }) => isDone).length),
          steps: number(steps.length),
        })}
      </Text>
    </Group>
    <List spacing="sm" listStyleType="none">
      {steps.map((step) => (
        <FirstStep key={step.href} {...step} />
      ))}
    </List>
  </Paper>
)

const FirstStep = ({ text, href, isDone }: Step) => (
  <List.Item
    icon={
      isDone ? (
        <IconCircleCheck size={20} color="var(--mantine-color-teal-7)" aria-hidden />
      ) : (
        <IconCircle size={20} color="var(--mantine-color-dimmed)" aria-hidden />
      )
    }
  >
    {isDone ? (
      <Text c="dimmed" td="line-through">
        <VisuallyHidden>{t(($) => $.stepDone)} </VisuallyHidden>
        {text}
      </Text>
    ) : (
      <Anchor component={Link} href={href}>
        {text}
      </Anchor>
    )}
  </List.Item>
)
