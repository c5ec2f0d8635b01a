import { Button } from "@mantine/core"
import { IconArrowForwardUp, IconCashBanknote } from "../../../console/parts/icons"
import { useState } from "react"
import { correctionRoles } from "../../../shared/rights"
import { useMay, useMe } from "../../../console/api/hooks"
import type { CreditNote } from "../../../console/api/types"
import { PdfButton } from "../../../trade/page/pdf-button"
import { money } from "../../../console/format"
import { t } from "../../../console/texts"
import { useOpenInvoices } from "../../payments/page/open-invoices"
import { ApplyDialog } from "./apply-dialog"
import { RefundDialog } from "./refund-dialog"

type Use = "apply" | "refund"

/** The files of a credit note, and using what is left of it. */
export function CreditNoteActions({ note }: { note: CreditNote }) {
  const mayWrite = useMay()("invoices", "write")
  const [use, setUse] = useState<Use | null>(null)
  const { data: open } = useOpenInvoices(mayWrite && note.unapplied > 0 ? note.customer : "")
  const close = () => setUse(null)
  return (
    <>
      <PdfButton kind="credit-notes" id={note.id} isIssued />
      {mayWrite && note.unapplied > 0 && open && <Uses hasOpen={open.length > 0} onUse={setUse} />}
      {/* A dialog stays open if somebody else has just used the credit note, to show the error. */}
      {use === "apply" && <ApplyDialog note={note} invoices={open ?? []} onClose={close} />}
      {use === "refund" && <Refund note={note} onClose={close} />}
    </>
  )
}

/** The main action is to apply the credit note if the customer has open invoices, otherwise to refund it. */
function Uses({ hasOpen, onUse }: { hasOpen: boolean; onUse: (use: Use) => void }) {
  const { role } = useMe()
  return (
    <>
      {correctionRoles.includes(role) && (
        <Button
          variant={hasOpen ? "default" : "filled"}
          leftSection={<IconCashBanknote size={16} />}
          onClick={() => onUse("refund")}
        >
          {t(($) => $.creditNotes.refund)}
        </Button>
      )}
      {hasOpen && (
        <Button leftSection={<IconArrowForwardUp size={16} />} onClick={() => onUse("apply")}>
          {t(($) => $.creditNotes.apply)}
        </Button>
      )}
    </>
  )
}

function Refund({ note, onClose }: { note: CreditNote; onClose: () => void }) {
  const { id, creditNoteNumber, unapplied, currency, creditNoteDate } = note
  const label = t(($) => $.creditNotes.unapplied, { amount: money(unapplied, currency) })
  return (
    <RefundDialog
      of={`/credit-notes/${id}`}
      name={creditNoteNumber}
      left={{ amount: unapplied, label }}
      currency={currency}
      from={creditNoteDate}
      onClose={onClose}
    />
  )
}
