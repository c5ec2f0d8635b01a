import { call } from "../../api/client"
import type { ApiAnswer as Answer, Role, SalesOrder } from "../../api/types"
import { withinCredit } from "../../documents/credit"

type Move = { status: SalesOrder["status"]; reason?: string | null; override?: boolean }

export const setOrderStatus = ({ id, version }: SalesOrder, body: Move) =>
  call<SalesOrder>("PUT", `/sales-orders/${id}/status`, { body, version })

/** Submits an order; null when it is over the credit limit and stays a draft. */
export const submitOrder = (order: SalesOrder, role: Role): Promise<Answer<SalesOrder> | null> =>
  withinCredit(role, { document: "order", verb: "submit", action: "Submit anyway" }, (override) =>
    setOrderStatus(order, { status: "submitted", ...(override ? { override } : {}) }),
  )
