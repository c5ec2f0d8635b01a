import { foreignFields } from "../../trade/documents/rules"
import type { DeliveryHead } from "./model"

type DeliveryStatus = DeliveryHead["status"]

/** The transitions that a caller can request. */
export const transitions = { delivered: ["cancelled"], cancelled: [] } as const satisfies Record<
  DeliveryStatus,
  readonly DeliveryStatus[]
>

/** The fields that can be updated. What was delivered stays. */
export const editable: Record<DeliveryStatus, readonly string[]> = {
  delivered: ["carrier", "trackingNumber", "notes", ...foreignFields],
  cancelled: foreignFields,
}

/** A delivery in messages. */
export const named = ({ deliveryNumber, status }: Pick<DeliveryHead, "deliveryNumber" | "status">) => ({
  name: `Delivery ${deliveryNumber}`,
  number: deliveryNumber,
  status,
})
