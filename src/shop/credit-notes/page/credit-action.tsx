import { Button } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconReceiptRefund } from "../../../console/parts/icons"
import { correctionRoles } from "../../../shared/rights"
import { useMay, useMe } from "../../../console/api/hooks"
import type { Invoice } from "../../../console/api/types"
import { t } from "./texts"
import { CreditDialog } from "./credit-dialog"

/** The button that credits an issued invoice, as long as something of it is left. */
export function CreditAction({ invoice }: { invoice: Invoice }) {
  const { role } = useMe()
  const may = useMay()
  const [isCrediting, { open, close }] = useDisclosure()
  const { status, total, creditedTotal } = invoice
  const isIssued = status !== "draft" && status !== "cancelled"
  const isOffered = isIssued && creditedTotal < total
  return (
    <>
      {isOffered && may("invoices", "write") && correctionRoles.includes(role) && (
        <Button variant="default" leftSection={<IconReceiptRefund size={16} />} onClick={open}>
          {t(($) => $.credit)}
        </Button>
      )}
      {isCrediting && <CreditDialog invoice={invoice} onClose={close} />}
    </>
  )
}
