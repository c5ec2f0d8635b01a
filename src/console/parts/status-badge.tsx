import { Badge, Group } from "@mantine/core"
import type { Outcome } from "../../shared/suggestions"
import type { Status } from "../../shared/statuses"
import { t } from "../texts"
import type { Scope } from "../../shared/rights"

const colours: Record<Status | Outcome, string> = {
  active: "teal",
  paid: "teal",
  credited: "gray",
  open: "blue",
  settled: "gray",
  completed: "teal",
  invoiced: "teal",
  success: "teal",
  submitted: "blue",
  unpaid: "blue",
  partially_paid: "indigo",
  partially_invoiced: "indigo",
  overdue: "red",
  failure: "red",
  refused: "red",
  cancelled: "gray",
  draft: "gray",
  inactive: "gray",
  not_invoiced: "gray",
}

/** A status as text. The colour adds no information. */
export const StatusBadge = ({ status }: { status: Status | Outcome }) => (
  <Badge color={colours[status]} variant="light" tt="none" fw={600}>
    {t(($) => $.values.status[status])}
  </Badge>
)

/** The scopes of an API key or an OAuth client. */
export const ScopeBadges = ({ of }: { of: readonly Scope[] }) => (
  <Group gap={4}>
    {of.map((scope) => (
      <Badge key={scope} variant="light" tt="none" size="sm">
        {t(($) => $.values.scopeBadge[scope])}
      </Badge>
    ))}
  </Group>
)
