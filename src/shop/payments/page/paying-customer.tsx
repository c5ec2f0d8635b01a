import { Text } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useMe, useRecord } from "../../../console/api/hooks"
import type { Customer } from "../../../console/api/types"
import { RecordPicker } from "../../../trade/page/record-picker"
import { money } from "../../../console/format"
import { t } from "../../../console/texts"

type Props = {
  /** The id of the customer; empty if none is selected. */
  value: string
  onPick: (customer: Customer) => void
  error?: ReactNode
  autoFocus?: boolean
}

/** The customer who pays, also an inactive one. */
export function PayingCustomer({ value, onPick, error, autoFocus }: Props) {
  const { currency } = useMe().company
  const client = useQueryClient()
  const { data: customer } = useRecord("customers", value)
  return (
    <RecordPicker
      kind="customers"
      sort="name"
      where={{}}
      label={t(($) => $.fields.customer)}
      required
      autoFocus={autoFocus}
      placeholder={t(($) => $.pickers.customerHint)}
      picked={customer?.name ?? ""}
      error={error}
      codeOf={({ customerNumber }) => customerNumber}
      nothing={t(($) => $.pickers.noCustomer)}
      onPick={(next) => {
        client.setQueryData(["customers", next.id], next)
        onPick(next)
      }}
      show={({ name, customerNumber, outstandingBalance }) => (
        <>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed">
            {`${customerNumber} · ${t(($) => $.invoices.openAmount, { amount: money(outstandingBalance, currency) })}`}
          </Text>
        </>
      )}
    />
  )
}
