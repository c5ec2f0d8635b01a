import { Modal } from "@mantine/core"
import type { SalesOrder } from "../../api/types"

type Props = { order: SalesOrder; opened: boolean; onClose: () => void }

export const InvoiceOrderDialog = ({ order, opened, onClose }: Props) => (
  <Modal opened={opened} onClose={onClose} title={`Invoice ${order.orderNumber}`}>
    Soon.
  </Modal>
)
