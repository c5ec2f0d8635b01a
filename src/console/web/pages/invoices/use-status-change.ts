import { notifications } from "@mantine/notifications"
import { call, messageOf } from "../../api/client"
import { useChange } from "../../api/hooks"
import type { Invoice } from "../../api/types"
import { tellWarnings } from "../../forms/use-record-form"

type Wanted = { status: "unpaid" | "cancelled"; reason?: string }

/** Moves an invoice to another status, as long as it is still the one that is shown. */
export function useStatusChange({ id, version }: Invoice) {
  const change = useChange(({ status, reason }: Wanted) =>
    call<Invoice>("PUT", `/invoices/${id}/status`, {
      body: { status, ...(reason ? { reason } : {}) },
      version,
    }),
  )
  return {
    isPending: change.isPending,
    changeTo: (wanted: Wanted, done: (invoice: Invoice) => string) =>
      change.mutate(wanted, {
        onSuccess: ({ data, warnings }) => {
          tellWarnings(warnings)
          notifications.show({ message: done(data), color: "teal" })
        },
        onError: (error) => notifications.show({ message: faultOf(error), color: "red" }),
      }),
  }
}

/** Each fault of a line says which goods it is about; the sentence alone would not. */
function faultOf(error: Error): string {
  const details = "details" in error ? (error.details as { message: string }[]) : []
  const more = details.filter(({ message }) => !error.message.includes(message)).map(({ message }) => message)
  return "code" in error && error.code === "INSUFFICIENT_STOCK"
    ? `${error.message} ${more.join("; ")}.`
    : messageOf(error)
}
