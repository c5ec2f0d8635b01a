import { Button, Grid, Group, Paper, Text } from "@mantine/core"
import { Link } from "wouter"
import { useMay, useRecord } from "../../api/hooks"
import type { Item } from "../../api/types"
import { number } from "../../format"
import { DeleteButton } from "../../parts/delete-button"
import { History } from "../../parts/history"
import { Loaded } from "../../parts/loaded"
import { OnlyFor } from "../../parts/only-for"
import { Page } from "../../parts/page"
import { StatusBadge } from "../../parts/status-badge"
import { ItemForm } from "./item-form"

const parent = { title: "Items", href: "/items" }

/** The page of an item: form, stock and history. */
export default function ItemPage({ id }: { id: string }) {
  const query = useRecord("items", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="items"
        scope="write"
        title="New item"
        parent={parent}
        sentence="Only managers and admins can create items."
      >
        <Page title="New item" parent={parent}>
          <ItemForm item={null} />
        </Page>
      </OnlyFor>
    )
  return <Loaded query={query}>{(item) => <Existing item={item} />}</Loaded>
}

function Existing({ item }: { item: Item }) {
  const may = useMay()
  return (
    <Page
      title={item.itemName}
      parent={parent}
      badge={<StatusBadge status={item.status} />}
      actions={
        may("items", "delete") && (
          <DeleteButton kind="items" id={item.id} version={item.version} name={item.itemName} to="/items" />
        )
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <ItemForm item={item} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          {item.itemType !== "Service" && <StockFigures item={item} />}
          <History kind="items" id={item.id} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function StockFigures({ item }: { item: Item }) {
  const figures = [
    ["In stock", item.currentStock],
    ["Reserved", item.reservedStock],
    ["Available", item.availableStock],
  ] as const
  return (
    <Paper withBorder p="md" mb="md">
      <Text fw={600} mb="xs">
        Stock
      </Text>
      {figures.map(([label, value]) => (
        <Group key={label} justify="space-between">
          <Text size="sm">{label}</Text>
          <Text size="sm" className="figures">
            {number(value)} {item.uom}
          </Text>
        </Group>
      ))}
      <Button component={Link} href={`/stock/ledger?item=${item.id}`} variant="default" size="xs" mt="sm">
        Stock movements
      </Button>
    </Paper>
  )
}
