import type { ApiKey } from "../../../console/api/types"
import { moment } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import { ScopeBadges } from "../../../console/parts/scope-badges"
import { t } from "../../../console/texts"
import { Expiry } from "./expiry"
import { lastUse } from "./issued-key"

const first: Column<ApiKey>[] = [
  { key: "name", title: t(($) => $.common.name), show: ({ name }) => name },
  {
    key: "prefix",
    title: t(($) => $.apiKeys.prefix),
    show: ({ prefix }) => <code style={{ whiteSpace: "nowrap" }}>{prefix}</code>,
  },
  {
    key: "scopes",
    title: t(($) => $.common.scopes),
    sorts: false,
    show: ({ scopes }) => <ScopeBadges of={scopes} />,
  },
]

const last: Column<ApiKey>[] = [
  {
    key: "expiresAt",
    title: t(($) => $.common.expires),
    show: ({ expiresAt }) => <Expiry expiresAt={expiresAt} />,
  },
  {
    key: "allowedIps",
    title: t(($) => $.apiKeys.allowedIps),
    sorts: false,
    show: ({ allowedIps }) => (allowedIps.length === 0 ? t(($) => $.apiKeys.anyIp) : allowedIps.join(", ")),
  },
  {
    key: "plan",
    title: t(($) => $.common.plan),
    show: ({ plan }) => (plan ? t(($) => $.values.plan[plan]) : t(($) => $.apiKeys.sameAsOwner)),
  },
  { key: "lastUsedAt", title: t(($) => $.common.lastUsed), show: (key) => lastUse(key) },
  {
    key: "lastUsedIp",
    title: t(($) => $.apiKeys.lastUsedIp),
    isExtra: true,
    show: (key) => key.lastUsedIp ?? "–",
  },
  {
    key: "createdAt",
    title: t(($) => $.common.created),
    isExtra: true,
    show: ({ createdAt }) => moment(createdAt),
  },
]

/** The owner column is shown only to users who can view the keys of all users. */
export function columnsOf(ownerOf: ((id: string) => string) | null): Column<ApiKey>[] {
  if (!ownerOf) return [...first, ...last]
  const title = t(($) => $.apiKeys.owner)
  const show = ({ user }: ApiKey) => ownerOf(user)
  return [...first, { key: "user", title, sorts: false, show }, ...last]
}
