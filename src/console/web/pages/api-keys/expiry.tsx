import { Badge, Group } from "@mantine/core"
import { moment } from "../../format"
import { t } from "../../texts"

const day = 24 * 60 * 60 * 1000
const soon = 14 * day

export const hasExpired = (expiresAt: string | null): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()

export const Expiry = ({ expiresAt }: { expiresAt: string | null }) => (
  <Group gap={6}>
    {expiresAt === null ? t(($) => $.common.never) : moment(expiresAt)}
    <ExpiryBadge expiresAt={expiresAt} />
  </Group>
)

/** A badge for keys that have expired or expire soon. */
function ExpiryBadge({ expiresAt }: { expiresAt: string | null }) {
  if (expiresAt === null || Date.parse(expiresAt) > Date.now() + soon) return null
  return hasExpired(expiresAt) ? (
    <Badge color="red" variant="light" tt="none" size="sm">
      {t(($) => $.apiKeys.expired)}
    </Badge>
  ) : (
    <Badge color="orange" variant="light" tt="none" size="sm">
      {t(($) => $.apiKeys.expiresSoon)}
    </Badge>
  )
}

export const lifetimes = [
  ...[30, 90, 180, 365].map((days) => ({
    value: String(days),
    label: t(($) => $.apiKeys.inDays, { count: days }),
  })),
  { value: "date", label: t(($) => $.apiKeys.onDate) },
  { value: "never", label: t(($) => $.common.never) },
]

/** Returns the local date after the given number of days. */
export function dayIn(days: number): string {
  const then = new Date(Date.now() + days * day)
  const two = (value: number) => String(value).padStart(2, "0")
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`
}

/** Returns when a key created at `from` expires; null means never. It expires at the end of a custom date. */
export function expiryOf(lifetime: string, lastDay: string, from: number): string | null {
  if (lifetime === "never") return null
  if (lifetime === "date") return new Date(`${lastDay}T23:59:59.999`).toISOString()
  return new Date(from + Number(lifetime) * day).toISOString()
}
