import { Badge, Group } from "@mantine/core"
import { millisOf, timestampOf } from "../../../shared/dates"
import { clock, localDay, localMoment } from "../../../console/clock"
import { moment } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

const day = 24 * 60 * 60 * 1000
const soon = 14 * day

export const hasExpired = (expiresAt: string | null): boolean =>
  expiresAt !== null && millisOf(expiresAt) <= clock.business()

export const Expiry = ({ expiresAt }: { expiresAt: string | null }) => (
  <Group gap={6}>
    {expiresAt === null ? common(($) => $.common.never) : moment(expiresAt)}
    <ExpiryBadge expiresAt={expiresAt} />
  </Group>
)

/** A badge for keys that have expired or expire soon. */
function ExpiryBadge({ expiresAt }: { expiresAt: string | null }) {
  if (expiresAt === null || millisOf(expiresAt) > clock.business() + soon) return null
  return hasExpired(expiresAt) ? (
    <Badge color="red" variant="light" tt="none" size="sm">
      {t(($) => $.expired)}
    </Badge>
  ) : (
    <Badge color="orange" variant="light" tt="none" size="sm">
      {t(($) => $.expiresSoon)}
    </Badge>
  )
}

export const lifetimes = [
  ...[30, 90, 180, 365].map((days) => ({
    value: String(days),
    label: t(($) => $.inDays, { count: days }),
  })),
  { value: "date", label: t(($) => $.onDate) },
  { value: "never", label: common(($) => $.common.never) },
]

/** Returns the local date after the given number of days. */
export const dayIn = (days: number): string => localDay(clock.business() + days * day)

/** Returns when a key created at `from` expires; null means never. It expires at the end of a custom date. */
export function expiryOf(lifetime: string, lastDay: string, from: number): string | null {
  if (lifetime === "never") return null
  if (lifetime === "date") return localMoment(lastDay, "23:59:59.999")
  return timestampOf(from + Number(lifetime) * day)
}
