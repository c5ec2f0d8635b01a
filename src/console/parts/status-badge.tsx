import { Badge, Group } from "@mantine/core"
import { kindList } from "../kinds"
import { t } from "../texts"
import { statusName } from "../texts/fields"
import type { Scope } from "../../shared/rights"

/** The colours of statuses that no kind declares. Others are gray. */
const common = { active: "teal", success: "teal", failure: "red", refused: "red" }
const colours: Readonly<Record<string, string>> = Object.assign(
  common,
  ...kindList.map((kind) => kind.colours),
)

/** A status as text. The colour adds no information. */
export const StatusBadge = ({ status }: { status: string }) => (
  <Badge color={colours[status] ?? "gray"} variant="light" tt="none" fw={600}>
    {statusName(status)}
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
