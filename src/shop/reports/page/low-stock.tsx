import { Anchor, Badge, Group, Text } from "@mantine/core"
import { Link } from "wouter"
import { useMay } from "../../../console/api/hooks"
import type { Summary } from "../../../console/api/types"
import { number } from "../../../console/format"
import { t } from "../../../console/texts"
import { Panel } from "./panel"

export function LowStock({ summary: { lowStock } }: { summary: Summary }) {
  const may = useMay()
  if (!lowStock || !may("items", "read")) return null
  return (
    <Panel
      title={t(($) => $.dashboard.lowStock)}
      badge={
        lowStock.count > 0 && (
          <Badge color="orange" variant="light">
            {number(lowStock.count)}
          </Badge>
        )
      }
      more={{ href: "/items?isLowStock=true&isActive=true", label: t(($) => $.dashboard.allLowStock) }}
    >
      {lowStock.count === 0 && <Text c="dimmed">{t(($) => $.dashboard.noLowStock)}</Text>}
      {lowStock.items.map(({ id, itemName, availableStock, reorderLevel, uom }) => (
        <Group key={id} justify="space-between" wrap="nowrap" gap="md" py={4}>
          <Anchor component={Link} href={`/items/${id}`} size="sm" truncate>
            {itemName}
          </Anchor>
          <Text size="sm" className="figures" style={{ whiteSpace: "nowrap" }}>
            {reorderLevel > 0
              ? t(($) => $.dashboard.reorderAt, {
                  quantity: number(availableStock),
                  unit: uom,
                  level: number(reorderLevel),
                })
              : `${number(availableStock)} ${uom}`}
          </Text>
        </Group>
      ))}
    </Panel>
  )
}
