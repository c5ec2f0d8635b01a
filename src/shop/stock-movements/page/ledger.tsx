import { inUnits } from "../../../trade/page/in-words"
import { Anchor, Group, Paper, Text } from "@mantine/core"
import { Link } from "wouter"
import { countSource, reasons } from "../../../shared/suggestions"
import { useList, useRecord } from "../../../console/api/hooks"
import type { Item, StockMovement } from "../../../console/api/types"
import { columnsOf } from "../../../trade/page/columns"
import { optionsOf, useListState } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as itemTexts } from "../../items/texts"
import { StockActions, StockViews } from "./stock-actions"
import { useQueries } from "@tanstack/react-query"
import { call } from "../../../console/api/client"

const filters = [
  {
    key: "reason",
    label: common(($) => $.fields.reason),
    options: optionsOf(reasons, (reason) => common(($) => $.values.stockReason[reason])),
  },
  { key: "createdAt", label: common(($) => $.common.period), isDate: true as const },
]

/** All stock movements, newest first. With an item in the URL, only the movements of that item. */
export default function Ledger() {
  // The list below sends the same query and shares this response. Here it provides the ids of the items.
  const state = useListState("createdAt", "desc")
  const list = useList("stock-movements", state.query)
  const names = useItemNames(list.data?.pages.map(({ data }) => data) ?? [])
  const { data: item = null } = useRecord("items", state.valueOf("item"))
  return (
    <RecordList
      kind="stock-movements"
      title={t(($) => $.stock.ledgerTitle)}
      columns={columnsWith(names)}
      phone={{
        title: "item",
        amount: (movement) => quantityOf(movement, names),
        line: ["createdAt", "reason", "note"],
      }}
      filters={filters}
      hasSearch={false}
      nameOf={({ id }) => id}
      actions={<StockActions item={item} />}
      describe={(name) =>
        name === "item" && item ? t(($) => $.stock.ofItem, { name: item.itemName }) : undefined
      }
      intro={t(($) => $.stock.ledgerIntro)}
    >
      <StockViews />
      {item && <OneItem item={item} />}
    </RecordList>
  )
}

function OneItem({ item }: { item: Item }) {
  const figures = [
    [itemTexts(($) => $.inStock), item.currentStock],
    [itemTexts(($) => $.reserved), item.reservedStock],
    [itemTexts(($) => $.available), item.availableStock],
  ] as const
  return (
    <Paper withBorder p="md" mb="md">
      <Group gap="xl">
        <div style={{ minWidth: 0, overflowWrap: "anywhere" }}>
          <Anchor component={Link} href={`/items/${item.id}`} fw={600}>
            {item.itemName}
          </Anchor>
          <Text size="xs" c="dimmed">
            {item.itemCode}
          </Text>
        </div>
        {figures.map(([label, value]) => (
          <div key={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text size="sm" className="figures">
              {inUnits(value, item.uom)}
            </Text>
          </div>
        ))}
      </Group>
    </Paper>
  )
}

const quantityOf = ({ quantity, item }: StockMovement, names: Map<string, ItemName>) =>
  `${quantity > 0 ? "+" : "−"}${inUnits(Math.abs(quantity), names.get(item)?.uom ?? "")}`

/** Why the stock was moved. An adjustment tells if it comes from a count. */
const reasonOf = ({ reason, sourceType }: StockMovement): string =>
  sourceType === countSource ? t(($) => $.stock.countReason) : common(($) => $.values.stockReason[reason])

const columnsWith = (names: Map<string, ItemName>) =>
  columnsOf(
    "stock-movements",
    [
      { key: "createdAt", title: t(($) => $.stock.date) },
      {
        key: "item",
        sorts: false,
        show: ({ item }) => (
          <Anchor component={Link} href={`/items/${item}`} inherit>
            {names.get(item)?.itemName ?? "…"}
          </Anchor>
        ),
      },
      { key: "quantity", as: "number", show: (movement) => quantityOf(movement, names) },
      { key: "reason", show: reasonOf },
      { key: "balanceAfter", as: "number" },
      {
        key: "sourceId",
        title: t(($) => $.stock.source),
        sorts: false,
        show: (movement) => <Source movement={movement} />,
      },
      { key: "note", sorts: false },
    ],
    [],
  )

/** The pages of the documents that move stock. */
const places = new Map([
  ["invoice", { path: "/invoices", name: () => common(($) => $.fields.invoice) }],
  ["credit-note", { path: "/credit-notes", name: () => common(($) => $.fields.creditNote) }],
  ["delivery", { path: "/deliveries", name: () => common(($) => $.values.stockReason.delivery) }],
])

/** The document that moved the stock. */
function Source({ movement: { sourceType, sourceId } }: { movement: StockMovement }) {
  const place = places.get(sourceType ?? "")
  if (!sourceId || !place) return "–"
  return (
    <Anchor component={Link} href={`${place.path}/${sourceId}`} inherit>
      {place.name()}
    </Anchor>
  )
}

type ItemName = Pick<Item, "id" | "itemCode" | "itemName" | "uom">

/** Reads the names of the items in pages of stock movements, with one request per page instead of one per row. */
function useItemNames(pages: StockMovement[][]): Map<string, ItemName> {
  const idsPerPage = pages.map(idsIn)
  const answers = useQueries({
    queries: idsPerPage
      .filter((ids) => ids !== "")
      .map((ids) => ({
        queryKey: ["items", "names", ids],
        queryFn: () => readNames(ids),
      })),
  })
  return byId(answers.flatMap(({ data = [] }) => data))
}

const idsIn = (rows: StockMovement[]) => [...new Set(rows.map(({ item }) => item))].toSorted().join(",")

const byId = (items: ItemName[]) => new Map(items.map((item) => [item.id, item]))

async function readNames(ids: string): Promise<ItemName[]> {
  const query = new URLSearchParams({ "id[in]": ids, fields: "id,itemCode,itemName,uom", perPage: "100" })
  return (await call<ItemName[]>("GET", `/items?${query}`)).data
}
