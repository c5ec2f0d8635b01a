import type { Changes } from "../../db/writer"
import { defineLedger, type Kept } from "../../resource/define"
import { choice, served, servedOrNull, structure } from "../../resource/field"
import { text } from "../../resource/text-field"

export const actorTypes = ["user", "apiKey", "oauthClient", "anonymous", "system"] as const
export const outcomes = ["success", "failure", "refused"] as const

/** Who did what. Rows are only ever added, each chained to the one before. */
export const auditLogs = defineLedger({
  name: "audit-logs",
  table: "audit_logs",
  idPrefix: "aud",
  noun: "audit entry",
  title: "AuditEntry",
  search: [],
  scan: ["action", "actorName", "recordId"],
  indexed: { sort: ["createdAt"], group: ["recordId", "actor"] },
  bulky: { fields: ["changes"], from: 1 },
  fields: {
    requestId: servedOrNull(text({ description: "The X-Request-Id of the request" })),
    actorType: served(choice(actorTypes)),
    actor: servedOrNull(text({ examples: ["usr_01kb2qk3dvb6r8h5m9x4w7z2nc"] })),
    actorName: servedOrNull(text()),
    action: served(text({ examples: ["items.update"] })),
    kind: servedOrNull(text({ examples: ["items"] })),
    recordId: servedOrNull(text()),
    ip: servedOrNull(text()),
    userAgent: servedOrNull(text()),
    outcome: served(choice(outcomes)),
    changes: served(
      structure<Changes>({
        type: "object",
        additionalProperties: { type: "object", properties: { from: {}, to: {} } },
        examples: [{ sellingPrice: { from: 449.9, to: 429 } }],
      }),
    ),
    hash: served(text({ description: "SHA-256 over this row and the hash before it" })),
  },
})

export type AuditRow = Kept<typeof auditLogs>
