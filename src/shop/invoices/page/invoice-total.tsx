import { Group, Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import type { Invoice } from "../../../console/api/types"
import { money } from "../../../console/format"
import { newBody, type Body } from "../../../console/forms/body"
import { t } from "../../../console/texts"

/**
 * The total of an invoice before it is created. The server calculates it in a dry run, because the invoices of an order
 * add up to the order to the cent.
 */
export function InvoiceTotal({ body, currency }: { body: Body; currency: string }) {
  const [wanted] = useDebouncedValue(JSON.stringify(newBody(body)), 250)
  const { data, isError } = useQuery({
    queryKey: ["invoices", "total", wanted],
    queryFn: async () => {
      const body = JSON.parse(wanted) as Body
      return (await call<Invoice>("POST", "/invoices/from-order?dryRun=true", { body })).data.total
    },
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <Group justify="flex-end" gap="md" aria-live="polite">
      <Text fw={600}>{t(($) => $.fields.total)}</Text>
      <Text fw={600} className="figures">
        {isError || data === undefined ? "–" : money(data, currency)}
      </Text>
    </Group>
  )
}
