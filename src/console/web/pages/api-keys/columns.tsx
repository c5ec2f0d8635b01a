import type { ApiKey } from "../../api/types"
import { moment, words } from "../../format"
import type { Column } from "../../lists/columns"
import { ScopeBadges } from "../../parts/scope-badges"
import { Expiry } from "./expiry"
import { lastUse } from "./issued-key"

/** The owner of a key is shown only to those who see the keys of everybody. */
export function columnsOf(ownerOf: ((id: string) => string) | null): Column<ApiKey>[] {
  const owner: Column<ApiKey> = {
    key: "user",
    title: "Owner",
    sorts: false,
    show: (key) => ownerOf?.(key.user),
  }
  return [
    { key: "name", title: "Name", show: ({ name }) => name },
    {
      key: "prefix",
      title: "Begins with",
      show: ({ prefix }) => <code style={{ whiteSpace: "nowrap" }}>{prefix}</code>,
    },
    { key: "scopes", title: "Scopes", sorts: false, show: ({ scopes }) => <ScopeBadges of={scopes} /> },
    ...(ownerOf ? [owner] : []),
    { key: "expiresAt", title: "Expires", show: ({ expiresAt }) => <Expiry expiresAt={expiresAt} /> },
    {
      key: "allowedIps",
      title: "Only from",
      sorts: false,
      show: ({ allowedIps }) => (allowedIps.length === 0 ? "Anywhere" : allowedIps.join(", ")),
    },
    { key: "plan", title: "Plan", show: ({ plan }) => (plan ? words(plan) : "As its owner") },
    { key: "lastUsedAt", title: "Last used", show: (key) => lastUse(key) },
    { key: "lastUsedIp", title: "Last used from", isExtra: true, show: (key) => key.lastUsedIp ?? "–" },
    { key: "createdAt", title: "Made", isExtra: true, show: ({ createdAt }) => moment(createdAt) },
  ]
}
