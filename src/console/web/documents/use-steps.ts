import { useLocation } from "wouter"
import { call } from "../api/client"
import { useChange } from "../api/hooks"
import type { ApiAnswer, Kinds } from "../api/types"
import { tellDone, tellError, tellWarnings } from "../parts/tell"

/** Something that is done with a document as a whole. */
export type Step<T> = {
  run: () => Promise<ApiAnswer<T>>
  /** What to say when it is done. */
  done: string
  /** Where to go then, if not to stay. */
  leadsTo?: (data: T) => string
}

/** Takes one step at a time. A step that was given up when the person was asked is null. */
export function useSteps<T>() {
  const [, go] = useLocation()
  const change = useChange(({ run }: Step<T>) => run())
  const take = (step: Step<T>) =>
    change.mutate(step, {
      onSuccess: ({ data, warnings }) => {
        tellWarnings(warnings)
        tellDone(step.done)
        if (step.leadsTo) go(step.leadsTo(data))
      },
      onError: tellError,
    })
  return {
    isPending: change.isPending,
    take: async (asked: Step<T> | null | Promise<Step<T> | null>): Promise<void> => {
      const step = await asked
      if (step) take(step)
    },
  }
}

export type DocumentKind = "sales-orders" | "invoices"

type Move<K extends DocumentKind> = {
  status: Kinds[K]["status"]
  reason?: string | null
  /** Passes the credit limit. */
  override?: true
}

/** Moves a document to another status, as long as it is still the version that is shown. */
export const setStatus = <K extends DocumentKind>(kind: K, { id, version }: Kinds[K], body: Move<K>) =>
  call<Kinds[K]>("PUT", `/${kind}/${id}/status`, { body, version })
