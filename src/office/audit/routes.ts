import { callerOf } from "../../core/http/request/call"
import { isAdmin, isAdminInPerson, type Caller } from "../../core/caller"
import { listDescription, readRoutes, type Money } from "../../core/http/route/kind-routes"
import { answerList } from "../../core/http/answer/list-answer"
import { get, type RouteCall, type Route } from "../../core/http/route/route"
import { whenDone } from "../../core/lib/turns"
import type { Resource } from "../../core/kind/define"
import { slim } from "../../core/store/list"
import { auditLogs, historyEntries, historyForOthers, type AuditRow } from "./model"
import type { AuditService } from "./service"

/** The whole log, for admins. */
export const auditRoutes = (audit: AuditService, money: Money): Route[] => readRoutes(auditLogs, audit, money)

/**
 * Returns an entry as a caller may see it. Only admins and the owner of an API key see its name and ID. A connected app sees
 * neither keys nor other connected apps.
 */
function shownTo(caller: Caller, audit: AuditService, entry: Partial<AuditRow>): Partial<AuditRow> {
  const { actorType, actor = null } = entry
  const { clientId, userId } = caller
  if (clientId !== undefined) {
    const isHidden = actorType === "apiKey" || (actorType === "oauthClient" && actor !== clientId)
    return isHidden ? { ...entry, actor: null, actorName: null } : entry
  }
  if (actorType !== "apiKey" || isAdmin(caller)) return entry
  const owner = actor === null ? null : audit.ownerOfKey(actor)
  if (owner?.id === userId) return entry
  return { ...entry, actor: null, actorName: owner ? `an API key of ${owner.name}` : "an API key" }
}

/** Checks whether a caller may read a record: `get` throws if not. */
export type Existing = { get(id: string, caller: Caller): unknown }

/** GET /{kind}/{id}/history: the entries about one record, for callers who may read it, even after it was deleted. */
export const historyRoute = (kind: Resource, records: Existing, audit: AuditService, money: Money): Route => {
  const described = listDescription(historyEntries)
  return get(
    `/${kind.name}/:id/history`,
    {
      ...described,
      may: kind.rights.read,
      id: `list${kind.title}History`,
      tag: kind.name,
      summary: `List the history of one ${kind.noun}`,
      description: "The audit log entries about the record, without IP addresses.",
      names: { id: kind.noun },
      refuses: [...described.refuses, 404],
    },
    (context) => history(context, kind, { records, audit, money }),
  )
}

type Deps = { records: Existing; audit: AuditService; money: Money }

function history(context: RouteCall, kind: Resource, { records, audit, money }: Deps) {
  const { id = "" } = context.params
  const caller = callerOf(context.call)
  // Records of single users are private, even after they are deleted.
  const { area } = kind.rights.read
  const isPrivate = area === "own" || (area === "webhooks" && !isAdminInPerson(caller))
  const entries = isAdmin(caller) ? historyEntries : historyForOthers
  return answerList(entries, context, money(), (query) => {
    if (isPrivate || !audit.hasHistory(kind.name, id)) records.get(id, caller)
    return whenDone(audit.history(kind.name, id, query), (page) => ({
      ...page,
      rows: page.rows.map((row) => shownTo(caller, audit, slim(row, Object.keys(historyEntries.fields)))),
    }))
  })
}
