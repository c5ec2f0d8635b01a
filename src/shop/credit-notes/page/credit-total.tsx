import { Group, Stack, Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import type { CreditNote, Invoice } from "../../../console/api/types"
import { money } from "../../../console/format"
import { newBody, type Body } from "../../../console/forms/body"
import { t } from "../../../console/texts"

type Props = {
  invoice: Invoice
  /** The body of the request; null if nothing is credited. */
  body: Body | null
}

/**
 * The total of a credit note before it is issued, and what it does to the balance. The server calculates it in a dry
 * run, because the credit notes of an invoice add up to the invoice to the cent.
 */
export function CreditTotal({ invoice, body }: Props) {
  // The reason does not change the total, so typing it sends no requests.
  const [wanted] = useDebouncedValue(body && JSON.stringify(newBody({ ...body, reason: "–" })), 250)
  const { data, isError } = useQuery({
    queryKey: ["credit-notes", "total", invoice.id, wanted],
    queryFn: async () => {
      const path = `/invoices/${invoice.id}/credit-notes?dryRun=true`
      return (await call<CreditNote>("POST", path, { body: JSON.parse(wanted ?? "{}") as Body })).data
    },
    enabled: wanted !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const note = isError || wanted === null ? undefined : data
  return (
    <Stack gap={2} align="end" aria-live="polite">
      <Group gap="md">
        <Text fw={600}>{t(($) => $.fields.total)}</Text>
        <Text fw={600} className="figures">
          {note ? money(note.total, note.currency) : "–"}
        </Text>
      </Group>
      {note && (
        <Text size="sm" c="dimmed" ta="right">
          {outcomeOf(note)}
        </Text>
      )}
    </Stack>
  )
}

/** What a credit note does to the balance of its invoice, and what is left of it then. */
function outcomeOf({ appliedToInvoice, unapplied, currency }: CreditNote): string {
  const taken = money(appliedToInvoice, currency)
  const kept = money(unapplied, currency)
  if (unapplied === 0) return t(($) => $.creditNotes.outcome.taken, { taken })
  if (appliedToInvoice === 0) return t(($) => $.creditNotes.outcome.kept, { kept })
  return t(($) => $.creditNotes.outcome.both, { taken, kept })
}
