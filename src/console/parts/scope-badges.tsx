import { Badge, Group } from "@mantine/core"
import type { Scope } from "../../shared/rights"
import { t } from "../texts"

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
