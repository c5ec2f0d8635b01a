import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import { isBusinessArea } from "../../shared/rights"
import { call, messageOf } from "../api/client"
import { hold } from "../api/held"
import type { Kind } from "../api/types"
import { kinds } from "../kinds"
import { t } from "../texts"
import { confirm } from "./confirm"
import type { MoreAction } from "./more-menu"
import { tellError, tellUndoable, tellWarning } from "./tell"

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

/**
 * The action that deletes a record after confirmation. The server first says whether it can be deleted. It is deleted a
 * while later, so that the user can take it back meanwhile.
 */
export function useDelete(options: Options): { isBusy: boolean; action: MoreAction } {
  const { kind, id, version, name, to, label = t(($) => $.common.delete) } = options
  const { question = { title: t(($) => $.parts.confirmDelete, { name }), action: label } } = options
  const { deleted = t(($) => $.parts.deleted, { name }) } = options
  const client = useQueryClient()
  const [, go] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const deleteLater = useDeleteLater()
  const path = `/${kind}/${id}`
  const ask = async () => {
    if (!(await confirm(question))) return
    setBusy(true)
    try {
      if (isBusinessArea(kinds[kind].right.area)) await call("DELETE", `${path}?dryRun=true`, { version })
    } catch (error) {
      tellError(error)
      await client.invalidateQueries()
      setBusy(false)
      return
    }
    go(to)
    const send = (keepalive: boolean) => call("DELETE", path, { version, keepalive })
    deleteLater({
      kind,
      ids: [id],
      message: deleted,
      send: (isLeaving) =>
        send(isLeaving).catch((error: unknown) =>
          tellWarning(
            t(($) => $.parts.notDeleted, { name, reason: messageOf(error) }),
            false,
          ),
        ),
    })
  }
  return { isBusy, action: { label, onClick: () => void ask() } }
}

type Later = {
  kind: Kind
  ids: readonly string[]
  /** What the user is told while it can be taken back. */
  message: string
  /** Sends the delete, and tells if it fails. */
  send: (isLeaving: boolean) => Promise<unknown>
}

/** Returns the function that hides records and deletes them a while later, with a button that takes it back. */
export function useDeleteLater(): (later: Later) => void {
  const client = useQueryClient()
  return ({ kind, ids, message, send }) => {
    const deleted = new Set<unknown>(ids)
    const finish = async (isLeaving: boolean) => {
      await send(isLeaving)
      // Reads everything again except the deleted records.
      await client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== kind || !deleted.has(queryKey[1]),
      })
    }
    const takeBack = hold(kind, ids, finish, () => hide())
    const hide = tellUndoable(message, () => {
      takeBack()
      hide()
    })
  }
}

/** The action that opens the page of a new record that is filled from this one. */
export function useDuplicate(path: string, id: string): MoreAction {
  const [, go] = useLocation()
  return { label: t(($) => $.parts.duplicate), onClick: () => go(`${path}/new?copy=${id}`) }
}
