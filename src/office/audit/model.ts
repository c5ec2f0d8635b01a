import type { Changes } from "../../core/write/writer"
import { defineLedger, type RecordOf, type Resource } from "../../core/kind/define"
import { choice, readOnly, readOnlyNullable, structure } from "../../core/kind/field"
import { text } from "../../core/kind/text-field"
import { actorTypes, outcomes } from "../../shared/suggestions"
import { adminRights } from "../../shared/rights"
import { Type } from "@sinclair/typebox"

/** The audit log. Entries are only added, and each is chained to the previous one. */
export const auditLogs = defineLedger({
  name: "audit-logs",
  variable: "ENTRY",
  table: "audit_logs",
  isWrittenByModule: true,
  idPrefix: "aud",
  noun: "audit log entry",
  title: "AuditEntry",
  about: "The audit log: who did what and when. For admins.",
  menu: { group: "settings", place: 4, path: "/settings/audit", icon: "history" },
  names: {
    en: {
      title: "Audit log",
      one: "entry",
      many: "entries",
      the: "the entry",
      searched: "audit log",
      fields: { via: "Via", tool: "Tool", client: "Program" },
    },
    de: {
      title: "Prüfprotokoll",
      one: "Eintrag",
      many: "Einträge",
      the: "den Eintrag",
      searched: "Prüfprotokoll",
      fields: { via: "Über", tool: "Werkzeug", client: "Programm" },
    },
  },
  rights: adminRights,
  search: [],
  scan: ["action", "actorName", "recordId"],
  indexed: { sort: ["createdAt"], group: ["recordId", "actor"], isWithoutId: true },
  bulky: { fields: ["changes"], from: 1 },
  fields: {
    requestId: readOnlyNullable(text({ description: "The X-Request-Id of the request" })),
    actorType: readOnly(choice(actorTypes)),
    actor: readOnlyNullable(text({ examples: ["usr_01kb2qk3dvb6r8h5m9x4w7z2nc"] })),
    actorName: readOnlyNullable(text()),
    action: readOnly(text({ examples: ["items.update"] })),
    kind: readOnlyNullable(text({ examples: ["items"] })),
    recordId: readOnlyNullable(text()),
    ip: readOnlyNullable(text()),
    userAgent: readOnlyNullable(text()),
    outcome: readOnly(choice(outcomes)),
    changes: readOnly(
      structure<Changes>(
        Type.Unsafe({
          type: "object",
          additionalProperties: { type: "object", properties: { from: {}, to: {} } },
          examples: [{ sellingPrice: { from: 449.9, to: 429 } }],
        }),
      ),
    ),
    via: readOnlyNullable(choice(["mcp"])),
    tool: readOnlyNullable(text({ description: "The tool of the assistant", examples: ["draft_order"] })),
    client: readOnlyNullable(
      text({ description: "What the assistant's program calls itself, which nobody has verified" }),
    ),
    hash: readOnly(text({ description: "SHA-256 of this entry and of the hash of the entry before it" })),
  },
})

export type AuditRow = RecordOf<typeof auditLogs>

const { ip: _ip, userAgent: _userAgent, client: _client, ...shown } = auditLogs.fields
/** The part of an entry that readers of a record may see: without the IP address and the names of programs. */
export const historyEntries: Resource = {
  ...auditLogs,
  noun: "history entry",
  title: "HistoryEntry",
  fields: shown,
}

const { actor: _actor, actorName: _actorName, ...findable } = shown
/** Only admins can filter by who did something: others would find the names of API keys and of connected apps. */
export const historyForOthers: Resource = {
  ...historyEntries,
  fields: findable,
  scan: ["action", "recordId"],
}
