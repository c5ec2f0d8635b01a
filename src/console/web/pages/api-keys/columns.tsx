import type { ApiKey } from "../../api/types"
import { moment, words } from "../../format"
import type { Column } from "../../lists/columns"
import { ScopeBadges } from "../../parts/scope-badges"
import { Expiry } from "./expiry"
import { lastUse } from "./issued-key"

/** The owner column is shown only to users who can view the keys of all users. */
export function columnsOf(ownerOf: ((id: string) => string) | null): Column<ApiKey>[] {
  const owner: Column<ApiKey> = {
    key: "user",
    title: "Owner",
    sorts: false,
    show: (key) => ownerOf?.(key.user),
    plain: (key) => ownerOf?.(key.user) ?? null,
  }
  return [
    { key: "name", title: "Name", show: ({ name }) => name },
    {
      key: "prefix",
      title: "Prefix",
      show: ({ prefix }) => <code style={{ whiteSpace: "nowrap" }}>{prefix}</code>,
    },
    { key: "scopes", title: "Scopes", sorts: false, show: ({ scopes }) => <ScopeBadges of={scopes} /> },
    ...(ownerOf ? [owner] : []),
    { key: "expiresAt", title: "Expires", show: ({ expiresAt }) => <Expiry expiresAt={expiresAt} /> },
    {
      key: "allowedIps",
      title: "Allowed IPs",
      sorts: false,
      show: ({ allowedIps }) => (allowedIps.length === 0 ? "Any" : allowedIps.join(", ")),
    },
    { key: "plan", title: "Plan", show: ({ plan }) => (plan ? words(plan) : "Same as owner") },
    { key: "lastUsedAt", title: "Last used", show: (key) => lastUse(key) },
    { key: "lastUsedIp", title: "Last used IP", isExtra: true, show: (key) => key.lastUsedIp ?? "–" },
    { key: "createdAt", title: "Created", isExtra: true, show: ({ createdAt }) => moment(createdAt) },
  ]
}
