import { Badge, Group } from "@mantine/core"
import type { Scope } from "../../../shared/rights"

/** What a key or an application may do, in a list. */
export const ScopeBadges = ({ of }: { of: readonly Scope[] }) => (
  <Group gap={4}>
    {of.map((scope) => (
      <Badge key={scope} variant="light" tt="none" size="sm">
        {scope}
      </Badge>
    ))}
  </Group>
)
