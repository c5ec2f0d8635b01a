import { useLocation } from "wouter"
import { call } from "../../console/api/client"
import { useChange } from "../../console/api/hooks"
import type { ApiAnswer, Kinds } from "../../console/api/types"
import { confirm, type Question } from "../../console/parts/confirm"
import { showTop } from "../../console/parts/page"
import { t as common } from "../../console/texts"
import { t } from "./texts"
import type { LinesKind } from "./papers/paper-files"
import { tellDone, tellError, tellWarnings } from "../../console/parts/tell"

/** An action on a whole document. */
export type Step<T> = {
  run: () => Promise<ApiAnswer<T>>
  /** The message after success. */
  done: string
  /** The page to open after success. */
  nextPage?: (data: T) => string
}

/** Runs one action at a time. The action is null if the user did not confirm it. */
export function useSteps<T>() {
  const [, go] = useLocation()
  const change = useChange(({ run }: Step<T>) => run())
  const take = (step: Step<T>) =>
    change.mutate(step, {
      onSuccess: ({ data, warnings }) => {
        tellWarnings(warnings)
        tellDone(step.done)
        showTop()
        if (step.nextPage) go(step.nextPage(data))
      },
      onError: tellError,
    })
  return {
    isPending: change.isPending,
    take: async (pending: Step<T> | null | Promise<Step<T> | null>): Promise<void> => {
      const step = await pending
      if (step) take(step)
    },
  }
}

/** Asks before a step. Returns null if the user does not confirm it. */
export async function askedFor<T>(
  question: Question,
  stepOf: (answer: { reason: string }) => Step<T>,
): Promise<Step<T> | null> {
  const answer = await confirm(question)
  return answer && stepOf(answer)
}

/** The kinds with lines that a form edits: documents that begin as drafts, and templates. */
export type DocumentKind = {
  [K in LinesKind]: Kinds[K] extends { status: infer S }
    ? ("draft" | "active") & S extends never
      ? never
      : K
    : never
}[LinesKind]

type StatusChange<K extends DocumentKind> = {
  status: Kinds[K]["status"]
  reason?: string | null
  /** Overrides the credit limit. */
  override?: true
  /** Sends an invoice to the customer as soon as it is issued. */
  send?: true
}

/** Changes the status of a document, if its version is still the one on the page. */
export const setStatus = <K extends DocumentKind>(
  kind: K,
  { id, version }: Pick<Kinds[K], "id" | "version">,
  body: StatusChange<K>,
) => call<Kinds[K]>("PUT", `/${kind}/${id}/status`, { body, version })

/** Returns what a change of the status would do. Nothing is stored. */
export const tryStatus = <K extends DocumentKind>(
  kind: K,
  { id, version }: Pick<Kinds[K], "id" | "version">,
  body: StatusChange<K>,
) => call<Kinds[K]>("PUT", `/${kind}/${id}/status?dryRun=true`, { body, version })

/** Cancels a document, with the reason that the user may give. */
export const cancelled = <K extends DocumentKind>(
  kind: K,
  record: Kinds[K],
  number: string,
  question: Omit<Question, "title" | "reason">,
) =>
  askedFor<Kinds[K]>(
    {
      ...question,
      title: t(($) => $.documents.confirmCancel, { number }),
      reason: common(($) => $.fields.reason),
    },
    ({ reason }) => ({
      run: () => setStatus(kind, record, { status: "cancelled", reason: reason || null }),
      done: t(($) => $.documents.wasCancelled, { number }),
    }),
  )
