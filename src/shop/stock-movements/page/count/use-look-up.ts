import { useQueryClient } from "@tanstack/react-query"
import { useRef, type Dispatch } from "react"
import type { CountDraft } from "./draft"
import { findItem, type Found } from "./find-item"
import type { ScanAction } from "./scan-state"

type Options = { draft: CountDraft; dispatch: Dispatch<ScanAction>; onRefused: () => void }

/** Looks for the item of the code in the input. */
export function useLookUp({ draft, dispatch, onRefused }: Options) {
  const client = useQueryClient()
  const search = useRef<{ code: string; answer: Promise<Found> } | null>(null)
  /** Returns the search that has begun for this code, or begins one. */
  const searchFor = (code: string) => {
    if (search.current?.code === code) return search.current
    return (search.current = { code, answer: findItem(client, code) })
  }
  /** Shows the item, or why it cannot be counted, unless the person has gone on meanwhile. */
  const show = async (code: string): Promise<void> => {
    if (code === "" || search.current?.code === code) return
    const begun = searchFor(code)
    dispatch({ type: "search" })
    const found = await begun.answer
    if (search.current !== begun) return
    if ("item" in found)
      return dispatch({ type: "found", item: found.item, before: draft.countOf(found.item.id) })
    search.current = null
    dispatch({ type: "problem", problem: found.problem })
    onRefused()
  }
  return {
    show,
    answerOf: (code: string): Promise<Found> => searchFor(code).answer,
    forget: () => void (search.current = null),
  }
}
