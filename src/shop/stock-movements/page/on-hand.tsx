import { Group, Paper, Switch } from "@mantine/core"
import { Redirect } from "wouter"
import { useList, useMay } from "../../../console/api/hooks"
import { ExportList } from "../../../console/lists/export-list"
import { ExportProgress } from "../../../console/lists/export-menu"
import { ListBody, More, Nothing } from "../../../console/lists/list-body"
import { useListState, type ListState } from "../../../console/lists/list-state"
import { SearchBox } from "../../../console/lists/search-box"
import { useExport, type Exporting } from "../../../console/lists/use-export"
import { Page } from "../../../console/parts/page"
import { t } from "../../../console/texts"
import { CountBar } from "./count-bar"
import { OnHandTable } from "./on-hand-table"
import { StockActions } from "./stock-actions"
import { useCounts } from "./use-counts"
import { StockViews } from "./views"

/** Items that can have stock. Inactive items are shown too, because they may still be in the storeroom. */
const fixed = { "itemType[ne]": "Service" }

/** The fields of an export. */
const exported = "itemCode,itemName,uom,currentStock,reservedStock,availableStock"

/** The stock of each item. A person who counts it types what they have found. */
export default function OnHand() {
  const state = useListState("itemName", "asc", fixed)
  // Earlier links to the movements of an item.
  const item = state.valueOf("item")
  if (item) return <Redirect to={`/stock/ledger?item=${encodeURIComponent(item)}`} replace />
  return <Items state={state} />
}

function Items({ state }: { state: ListState }) {
  const mayWrite = useMay()("stock", "write")
  const list = useList("items", state.query)
  const items = list.data?.pages.flatMap(({ data }) => data) ?? []
  const counts = useCounts()
  const exporting = useExport(
    "items",
    { ...state.query, fields: exported },
    t(($) => $.stock.file),
  )
  return (
    <Page title={t(($) => $.stock.title)} actions={<StockActions isMain={!counts.isDirty} />}>
      <StockViews />
      <Search state={state} exporting={exporting} />
      {exporting.job && (
        <Paper withBorder p="xs" mb="sm">
          <ExportProgress {...exporting.job} />
        </Paper>
      )}
      <ListBody
        list={list}
        isEmpty={items.length === 0}
        nothing={
          <Nothing
            kind="items"
            intro={t(($) => $.stock.intro)}
            isNarrowed={state.isNarrowed}
            onClear={state.clear}
          />
        }
      >
        <OnHandTable items={items} counts={counts} isReadOnly={!mayWrite} />
        <More shown={items.length} total={list.data?.pages[0]?.meta?.total ?? items.length} list={list} />
      </ListBody>
      {counts.isDirty && <CountBar counts={counts} />}
    </Page>
  )
}

const Search = ({ state, exporting }: { state: ListState; exporting: Exporting }) => (
  <Group gap="md" mb="md">
    <SearchBox state={state} label={t(($) => $.stock.search)} />
    <Switch
      label={t(($) => $.stock.lowOnly)}
      checked={state.valueOf("isLowStock") === "true"}
      onChange={({ currentTarget }) => state.change({ isLowStock: currentTarget.checked ? "true" : null })}
    />
    <Group ml="auto">
      <ExportList exporting={exporting} />
    </Group>
  </Group>
)
