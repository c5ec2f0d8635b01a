import { ApiError, call } from "../../api/client"
import type { Answer, Role, SalesOrder } from "../../api/types"
import { confirm } from "../../parts/confirm"

type Move = { status: SalesOrder["status"]; reason?: string | null; override?: boolean }

export const setOrderStatus = ({ id, version }: SalesOrder, body: Move) =>
  call<SalesOrder>("PUT", `/sales-orders/${id}/status`, { body, version })

/**
 * Submits an order. Where the customer's credit does not reach, those who may pass the limit are asked whether they
 * want to; null when they do not.
 */
export async function submitOrder(order: SalesOrder, role: Role): Promise<Answer<SalesOrder> | null> {
  try {
    return await setOrderStatus(order, { status: "submitted" })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "CREDIT_LIMIT_EXCEEDED") throw error
    // The last sentence is for programs: it names a field of the request.
    const message = error.message.replace(/ [^.]*override: true\.$/, "")
    if (role !== "manager" && role !== "admin")
      throw new ApiError(
        error.status,
        error.code,
        `${message} The order stays a draft; a manager can submit it anyway.`,
      )
    const answer = await confirm({
      title: "Over the credit limit",
      text: `${message} The order stays a draft unless you submit it anyway.`,
      action: "Submit anyway",
    })
    return answer && setOrderStatus(order, { status: "submitted", override: true })
  }
}
