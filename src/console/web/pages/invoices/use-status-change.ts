import { notifications } from "@mantine/notifications"
import { call, messageOf } from "../../api/client"
import { useChange } from "../../api/hooks"
import type { Invoice } from "../../api/types"
import { tellWarnings } from "../../parts/tell"

type Wanted = { status: "cancelled"; reason?: string }

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
        onError: (error) => notifications.show({ message: messageOf(error), color: "red" }),
      }),
  }
}
