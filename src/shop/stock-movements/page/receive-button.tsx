import { Button } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { useMay } from "../../../console/api/hooks"
import type { Item } from "../../../console/api/types"
import { t } from "./texts"
import { ReceiptDialog } from "./receipt-dialog"

/** Receives stock of one item, for users with the right. */
export function ReceiveButton({ item }: { item: Item }) {
  const mayWrite = useMay()("stock", "write")
  const [isOpen, { open, close }] = useDisclosure()
  if (!mayWrite) return null
  return (
    <>
      <Button variant="default" onClick={open}>
        {t(($) => $.stock.receive)}
      </Button>
      {isOpen && <ReceiptDialog item={item} onClose={close} />}
    </>
  )
}
