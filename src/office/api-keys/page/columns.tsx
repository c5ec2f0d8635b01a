import type { ApiKey } from "../../../console/api/types"
import { moment } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import { ScopeBadges } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { Expiry } from "./expiry"
import { lastUse } from "./new"

const first: Column<ApiKey>[] = [
  { key: "name", title: common(($) => $.common.name), show: ({ name }) => name },
  {
    key: "prefix",
    title: t(($) => $.prefix),
    show: ({ prefix }) => <code style={{ whiteSpace: "nowrap" }}>{prefix}</code>,
  },
  {
    key: "scopes",
    title: common(($) => $.common.scopes),
    sorts: false,
    show: ({ scopes }) => <ScopeBadges of={scopes} />,
  },
]

const last: Column<ApiKey>[] = [
  {
    key: "expiresAt",
    title: common(($) => $.common.expires),
    show: ({ expiresAt }) => <Expiry expiresAt={expiresAt} />,
  },
  {
    key: "allowedIps",
    title: t(($) => $.allowedIps),
    sorts: false,
    show: ({ allowedIps }) => (allowedIps.length === 0 ? t(($) => $.anyIp) : allowedIps.join(", ")),
  },
  {
    key: "plan",
    title: common(($) => $.common.plan),
    show: ({ plan }) => (plan ? common(($) => $.values.plan[plan]) : t(($) => $.sameAsOwner)),
  },
  { key: "lastUsedAt", title: common(($) => $.common.lastUsed), show: (key) => lastUse(key) },
  {
    key: "lastUsedIp",
    title: t(($) => $.lastUsedIp),
    isExtra: true,
    show: (key) => key.lastUsedIp ?? "–",
  },
  {
    key: "createdAt",
    title: common(($) => $.common.created),
    isExtra: true,
    show: ({ createdAt }) => moment(createdAt),
  },
]

/** The owner column is shown only to users who can view the keys of all users. */
export function columnsOf(ownerOf: ((id: string) => string) | null): Column<ApiKey>[] {
  if (!ownerOf) return [...first, ...last]
  const title = t(($) => $.owner)
  const show = ({ user }: ApiKey) => ownerOf(user)
  return [...first, { key: "user", title, sorts: false, show }, ...last]
}
