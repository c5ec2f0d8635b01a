import type { App } from "../../http/app"
import { callerOf } from "../../http/call"
import { describeList, idParameter } from "../../http/crud-operations"
import { answerList, readRoutes, type Door } from "../../http/crud-routes"
import { operation } from "../../http/operation"
import type { Caller, Right } from "../../http/caller"
import { whenDone } from "../../lib/turns"
import type { Resource } from "../../resource/define"
import { slim } from "../../resource/list"
import { auditLogs, type AuditRow } from "./model"
import type { AuditService } from "./service"

const administering: Right = { area: "administration", scope: "admin" }

/** The whole log, for admins. */
export const auditRoutes = (audit: AuditService, door: Door) =>
  readRoutes(auditLogs, audit, { ...door, right: administering })

/** What others may see of an entry: not from where it was done. */
const { ip: _ip, userAgent: _userAgent, ...shown } = auditLogs.fields
export const historyEntries: Resource = {
  ...auditLogs,
  noun: "history entry",
  title: "HistoryEntry",
  fields: shown,
}
/** Keys and other applications are none of an application's business, so it cannot look for them by their names either. */
const { actor: _actor, actorName: _actorName, ...findable } = shown
const historyForApplications: Resource = { ...historyEntries, fields: findable }

function shownTo(clientId: string | null, entry: Partial<AuditRow>): Partial<AuditRow> {
  const { actorType, actor } = entry
  const isHidden =
    clientId !== null && (actorType === "apiKey" || (actorType === "oauthClient" && actor !== clientId))
  return isHidden ? { ...entry, actor: null, actorName: null } : entry
}

type Existing = { get(id: string, caller: Caller): unknown }

/** GET /{kind}/{id}/history: what happened to one record, for whoever may read it; also after it was deleted. */
export function historyRoute(
  kind: Resource,
  right: Right,
  records: Existing,
  audit: AuditService,
  door: Door,
) {
  // One's own records are nobody else's business, not even after they are gone.
  const isPrivate = right.area === "own"
  return (app: App) =>
    app.get(
      `/api/v1/${kind.name}/:id/history`,
      ({ call, params, set }) => {
        const { clientId = null } = callerOf(call)
        const entries = clientId === null ? historyEntries : historyForApplications
        const answer = answerList(entries, call, set, door.basis(), (query) => {
          if (isPrivate || !audit.hasHistory(kind.name, params.id)) records.get(params.id, callerOf(call))
          return whenDone(audit.history(kind.name, params.id, query), (page) => ({
            ...page,
            rows: page.rows.map((row) => shownTo(clientId, slim(row, Object.keys(shown)))),
          }))
        })
        return answer
      },
      { may: right, detail: historyOperation(kind) },
    )
}

const historyOperation = ({ noun, title, name }: Resource) =>
  operation(() => {
    const list = describeList(historyEntries)
    return {
      ...list,
      id: `list${title}History`,
      tag: name,
      summary: `What happened to one ${noun}`,
      description: "The entries of the audit log about it, without addresses.",
      parameters: [idParameter(noun), ...list.parameters],
      refuses: [...list.refuses, 404],
    }
  })
