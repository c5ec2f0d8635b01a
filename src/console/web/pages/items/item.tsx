import {
  Button,
  Grid,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { Link, useLocation } from "wouter"
import { itemTypes } from "../../../../shared/item-types"
import { useMay, useRecord } from "../../api/hooks"
import type { Item } from "../../api/types"
import { NumberField } from "../../forms/number-field"
import { RecordForm } from "../../forms/record-form"
import { TagsField } from "../../forms/tags-field"
import { useRecordForm } from "../../forms/use-record-form"
import { number } from "../../format"
import { DeleteButton } from "../../parts/delete-button"
import { History } from "../../parts/history"
import { Loaded } from "../../parts/loaded"
import { OnlyFor } from "../../parts/only-for"
import { Page } from "../../parts/page"
import { StatusBadge } from "../../parts/status-badge"

const parent = { title: "Items", href: "/items" }

/** One item: its form, its stock, and what happened to it. */
export default function ItemPage({ id }: { id: string }) {
  const query = useRecord("items", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="items"
        scope="write"
        title="New item"
        parent={parent}
        sentence="Only a manager or an administrator can make items."
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
      <Button component={Link} href={`/stock?item=${item.id}`} variant="default" size="xs" mt="sm">
        Movements and receipts
      </Button>
    </Paper>
  )
}

const valuesOf = (item: Item | null) => ({
  itemCode: item?.itemCode ?? "",
  itemName: item?.itemName ?? "",
  category: item?.category ?? "",
  itemType: item?.itemType ?? "Product",
  uom: item?.uom ?? "Nos",
  sellingPrice: item?.sellingPrice ?? 0,
  costPrice: item?.costPrice ?? 0,
  taxRate: item?.taxRate ?? 0,
  reorderLevel: item?.reorderLevel ?? 0,
  reorderQty: item?.reorderQty ?? 0,
  description: item?.description ?? "",
  images: item?.images ?? [],
  isActive: item?.isActive ?? true,
})

function ItemForm({ item }: { item: Item | null }) {
  const may = useMay()
  const [, go] = useLocation()
  const state = useRecordForm({
    kind: "items",
    record: item,
    valuesOf,
    onSaved: ({ id, itemName }) => {
      notifications.show({ message: `${itemName} was saved.`, color: "teal" })
      if (!item) go(`/items/${id}`, { replace: true })
    },
  })
  const { form } = state
  return (
    <RecordForm state={state} isReadOnly={!may("items", "write")} submit={item ? "Save" : "Create item"}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Code" required autoFocus={!item} {...form.getInputProps("itemCode")} />
        <TextInput label="Name" required {...form.getInputProps("itemName")} />
        <TextInput label="Category" {...form.getInputProps("category")} />
        <Select label="Type" data={itemTypes} allowDeselect={false} {...form.getInputProps("itemType")} />
        <NumberField label="Selling price" {...form.getInputProps("sellingPrice")} />
        <NumberField label="Cost price" {...form.getInputProps("costPrice")} />
        <NumberField label="Tax rate" rightSection="%" {...form.getInputProps("taxRate")} />
        <TextInput label="Unit" {...form.getInputProps("uom")} />
        <NumberField
          label="Reorder level"
          description="Low stock at or below this"
          {...form.getInputProps("reorderLevel")}
        />
        <NumberField
          label="Reorder quantity"
          description="How much to order then"
          {...form.getInputProps("reorderQty")}
        />
      </SimpleGrid>
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={12}
        {...form.getInputProps("description")}
      />
      <TagsField
        form={form}
        name="images"
        label="Images"
        description="Web addresses; press Enter after each"
      />
      <Switch
        label="Active"
        description="An inactive item cannot be put on new orders"
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
    </RecordForm>
  )
}
