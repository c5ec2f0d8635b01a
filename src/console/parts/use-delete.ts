import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import { call } from "../api/client"
import type { Kind } from "../api/types"
import { t } from "../texts"
import { confirm } from "./confirm"
import type { MoreAction } from "./more-menu"
import { tellDone, tellError } from "./tell"

type Options = {
  kind: Kind
  id: string
  version: number
  /** The name in the question: "Delete Acme?" */
  name: string
  /** The message after the delete, if the name alone is no subject of a sentence. */
  deleted?: string
  /** The page to open after the delete. */
  to: string
  /** The label of the action and the question, if the record is not simply deleted. */
  label?: string
  question?: { title: string; text: string; action: string }
}

/** The action that deletes a record after confirmation. */
export function useDelete(options: Options): { isBusy: boolean; action: MoreAction } {
  const { kind, id, version, name, deleted, to, label = t(($) => $.common.delete) } = options
  const { question = { title: t(($) => $.parts.confirmDelete, { name }), action: label } } = options
  const client = useQueryClient()
  const [, go] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const ask = async () => {
    if (!(await confirm(question))) return
    setBusy(true)
    try {
      await call("DELETE", `/${kind}/${id}`, { version })
      go(to)
      // Reads everything again except the deleted record.
      void client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== kind || queryKey[1] !== id,
      })
      tellDone(deleted ?? t(($) => $.parts.deleted, { name }))
    } catch (error) {
      tellError(error)
      await client.invalidateQueries()
      setBusy(false)
    }
  }
  return { isBusy, action: { label, onClick: () => void ask() } }
}

/** The action that opens the page of a new record that is filled from this one. */
export function useDuplicate(path: string, id: string): MoreAction {
  const [, go] = useLocation()
  return { label: t(($) => $.parts.duplicate), onClick: () => go(`${path}/new?copy=${id}`) }
}
