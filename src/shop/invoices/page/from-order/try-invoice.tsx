import { Group, Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../../../../console/api/client"
import type { Invoice, SalesOrder } from "../../../../console/api/types"
import { type Body, newBody } from "../../../../console/forms/body"
import { t as common } from "../../../../console/texts"
import { useCheck } from "../../../../trade/page/papers/e-invoice-panel"
import { BeforeIssue } from "../before-issue"

/**
 * What an invoice of an order will be before it is created. The server calculates it in a dry run, because the invoices of
 * an order add up to the order to the cent.
 */
export function useDryRun(path: string, body: Body, isEnabled = true) {
  const [wanted] = useDebouncedValue(JSON.stringify(newBody(body)), 250)
  return useQuery({
    queryKey: ["invoices", "dry-run", path, wanted],
    queryFn: () => call<Invoice>("POST", `${path}?dryRun=true`, { body: JSON.parse(wanted) as Body }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

type SummaryProps = {
  order: SalesOrder
  tried: ReturnType<typeof useDryRun>
  /** What creating it does. */
  text: string
}

/** Leads to the due date, because the payment terms of the order are not in the dialog. */
const focusDueDate = () => document.querySelector<HTMLElement>("[data-path=dueDate]")?.focus()

/** What an invoice of an order will be, and what is probably wrong with it. */
export function Summary({ order, tried: { data, isError }, text }: SummaryProps) {
  const check = useCheck("sales-orders", order.id, "en16931")
  if (isError || data === undefined)
    return (
      <Group justify="flex-end" gap="md">
        <Text fw={600}>{common(($) => $.fields.total)}</Text>
        <Text fw={600} className="figures">
          –
        </Text>
      </Group>
    )
  return (
    <>
      <Text size="sm">{text}</Text>
      <BeforeIssue
        invoice={data.data}
        warnings={data.warnings}
        check={check}
        of={{ kind: "sales-orders", id: order.id }}
        document={{
          path: `/orders/${order.id}`,
          isEditable: false,
          customer: order.customer,
          items: order.items,
        }}
        onDueDate={focusDueDate}
      />
    </>
  )
}
