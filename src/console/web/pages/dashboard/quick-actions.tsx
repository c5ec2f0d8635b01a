import { Button } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconPlus } from "../../parts/icons"
import { Link } from "wouter"
import { useMay } from "../../api/hooks"
import { PayInvoiceDialog } from "../invoices/pay-invoice-dialog"
import { t } from "../../texts"

/** What people do most often. */
export function QuickActions() {
  const may = useMay()
  const [isPaying, { open, close }] = useDisclosure()
  return (
    <>
      {may("invoices", "write") && (
        <>
          <Button variant="default" onClick={open}>
            {t(($) => $.invoices.recordPayment)}
          </Button>
          <Button variant="default" component={Link} href="/invoices/new">
            {t(($) => $.invoices.new)}
          </Button>
        </>
      )}
      {may("sales-orders", "write") && (
        <Button component={Link} href="/orders/new" leftSection={<IconPlus size={16} />}>
          {t(($) => $.orders.new)}
        </Button>
      )}
      {isPaying && <PayInvoiceDialog onClose={close} />}
    </>
  )
}
