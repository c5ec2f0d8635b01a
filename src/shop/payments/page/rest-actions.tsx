import { Button, Group } from "@mantine/core"
import { useState } from "react"
import { correctionRoles } from "../../../shared/rights"
import { useMay, useMe } from "../../../console/api/hooks"
import { money } from "../../../console/format"
import { t } from "../../../console/texts"
import { RefundDialog } from "../../credit-notes/page/refund-dialog"
import { AllocateDialog, type Rest } from "./allocate-dialog"

type Props = {
  payment: Rest
  /** True in a list, where the labels must say which payment they belong to. */
  isRow?: boolean
}

/** What a user can do with the rest of a payment: pay an invoice with it, or refund it. */
export function RestActions({ payment, isRow = false }: Props) {
  const { role, company } = useMe()
  const mayWrite = useMay()("invoices", "write")
  const [open, setOpen] = useState<"allocate" | "refund" | null>(null)
  const amount = money(payment.unallocated, company.currency)
  const size = isRow ? "xs" : "sm"
  if (!mayWrite) return null
  return (
    <Group gap="xs" mt={isRow ? 4 : 0}>
      <Button
        size={size}
        variant={isRow ? "default" : "filled"}
        aria-label={isRow ? t(($) => $.payments.allocateLabel, { amount }) : undefined}
        onClick={() => setOpen("allocate")}
      >
        {t(($) => $.payments.allocate)}
      </Button>
      {correctionRoles.includes(role) && (
        <Button
          size={size}
          variant="default"
          aria-label={isRow ? t(($) => $.payments.refundLabel, { amount }) : undefined}
          onClick={() => setOpen("refund")}
        >
          {t(($) => $.creditNotes.refund)}
        </Button>
      )}
      {open === "allocate" && <AllocateDialog payment={payment} onClose={() => setOpen(null)} />}
      {open === "refund" && <RefundRest payment={payment} onClose={() => setOpen(null)} />}
    </Group>
  )
}

function RefundRest({ payment, onClose }: { payment: Rest; onClose: () => void }) {
  const { currency } = useMe().company
  const { id, amount, unallocated, paymentDate } = payment
  return (
    <RefundDialog
      of={`/payments/${id}`}
      name={t(($) => $.payments.inSentence, { amount: money(amount, currency) })}
      left={{
        amount: unallocated,
        label: t(($) => $.payments.rest, { amount: money(unallocated, currency) }),
      }}
      currency={currency}
      from={paymentDate}
      onClose={onClose}
    />
  )
}
