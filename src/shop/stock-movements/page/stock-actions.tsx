import { Button } from "@mantine/core"
import { IconPlus } from "../../../console/parts/icons"
import { useState } from "react"
import { Link } from "wouter"
import { useMay } from "../../../console/api/hooks"
import type { Item } from "../../../console/api/types"
import { t } from "../../../console/texts"
import { AdjustDialog } from "./adjust-dialog"
import { ReceiptDialog } from "./receipt-dialog"

type Props = {
  /** The item that the dialogs begin with. */
  item?: Item | null
  /** False if another action is the main one at the moment. */
  isMain?: boolean
}

/** The actions that change the stock, for users with the right. */
export function StockActions({ item = null, isMain = true }: Props) {
  const mayWrite = useMay()("stock", "write")
  const [open, setOpen] = useState<"receipt" | "adjustment" | null>(null)
  const close = () => setOpen(null)
  // A service has no stock.
  const chosen = item?.itemType === "Service" ? null : item
  if (!mayWrite) return null
  return (
    <>
      <Button variant="default" component={Link} href="/stock/count">
        {t(($) => $.stockCount.title)}
      </Button>
      <Button variant="default" onClick={() => setOpen("adjustment")}>
        {t(($) => $.stock.adjust)}
      </Button>
      <Button
        variant={isMain ? "filled" : "default"}
        leftSection={<IconPlus size={16} />}
        onClick={() => setOpen("receipt")}
      >
        {t(($) => $.stock.receive)}
      </Button>
      {open === "receipt" && <ReceiptDialog item={chosen} onClose={close} />}
      {open === "adjustment" && <AdjustDialog item={chosen} onClose={close} />}
    </>
  )
}
