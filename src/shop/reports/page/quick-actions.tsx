import { Button } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconPlus } from "../../../console/parts/icons"
import { Link } from "wouter"
import { useMay } from "../../../console/api/hooks"
import { PayInvoiceDialog } from "../../invoices/page/pay-invoice-dialog"
import { t } from "../../../console/texts"

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
