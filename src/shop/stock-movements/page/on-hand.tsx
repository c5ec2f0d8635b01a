import { inUnits } from "../../../trade/page/in-words"
import { Alert, Anchor, Badge, Button, Group, Paper, Switch, Table, Text, TextInput } from "@mantine/core"
import { Link, Redirect } from "wouter"
import { useList, useMay } from "../../../console/api/hooks"
import { type Exporting, ExportList, ExportProgress, useExport } from "../../../console/lists/export-menu"
import { ListBody, More, Nothing } from "../../../console/lists/list-body"
import { type ListState, useListState, SearchBox, valuesFilter } from "../../../console/lists/filters"
import { ChoiceFilter } from "../../../console/lists/list-toolbar"
import { Page } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as itemTexts } from "../../items/texts"
import {
  type CountResult,
  differenceInWords,
  errorsOf,
  messageIn,
  resultInWords,
  StockActions,
  StockViews,
} from "./stock-actions"
import { number } from "../../../console/format"
import { type KeyboardEvent, useState } from "react"
import type { Item } from "../../../console/api/types"
import { NumberField } from "../../../console/forms/number-field"
import { useQueryClient } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import { useAttempt, useIntentions } from "../../../console/forms/use-record-form"
import { useUnsavedGuard } from "../../../console/forms/unsaved"
import { tellDone } from "../../../console/parts/tell"
import { focusTop } from "../../../console/shell/focus"

/** Items that can have stock. Inactive items are shown too, because they may still be in the storeroom. */
const fixed = { "itemType[ne]": "Service" }

/** Shelves are counted and ordered by category. */
const categoryFilter = valuesFilter("items", "category")

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
      <ExportProgress exporting={exporting} />
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
    <ChoiceFilter filter={categoryFilter} state={state} kind="items" />
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

/** Saves the counts that were typed in. It stays visible while the list scrolls. */
const CountBar = ({ counts }: { counts: Counts }) => (
  <Paper
    component="form"
    withBorder
    shadow="md"
    p="sm"
    mt="md"
    pos="sticky"
    bottom={8}
    style={{ zIndex: 5 }}
    onSubmit={(event) => {
      event.preventDefault()
      void counts.save()
    }}
  >
    {counts.error && (
      <Alert color="red" role="alert" mb="sm">
        {counts.error}
      </Alert>
    )}
    <Fields counts={counts} />
  </Paper>
)

const Fields = ({ counts: { size, note, setNote, isSaving, discard } }: { counts: Counts }) => (
  <Group gap="sm">
    <Text size="sm" fw={600} aria-live="polite">
      {t(($) => $.stock.itemsCounted, { count: size, shown: number(size) })}
    </Text>
    <TextInput
      aria-label={t(($) => $.stock.countNote)}
      placeholder={common(($) => $.fields.note)}
      maxLength={500}
      value={note}
      onChange={({ currentTarget }) => setNote(currentTarget.value)}
      style={{ flex: 1, minWidth: 120 }}
    />
    <Button variant="default" onClick={discard} disabled={isSaving}>
      {t(($) => $.stock.discard)}
    </Button>
    <Button type="submit" loading={isSaving}>
      {t(($) => $.stock.saveCount)}
    </Button>
  </Group>
)

type Props = { items: Item[]; counts: Counts; isReadOnly: boolean }

/** Items with their stock, and an input for the count of each. A phone shows only the stock on hand. */
const OnHandTable = ({ items, counts, isReadOnly }: Props) => (
  <Table verticalSpacing={4} stickyHeader stickyHeaderOffset={56} aria-label={t(($) => $.stock.table)}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{common(($) => $.fields.item)}</Table.Th>
        <Table.Th className="right">{t(($) => $.stock.onHand)}</Table.Th>
        <Table.Th className="right" visibleFrom="sm">
          {itemTexts(($) => $.reserved)}
        </Table.Th>
        <Table.Th className="right" visibleFrom="sm">
          {itemTexts(($) => $.available)}
        </Table.Th>
        {!isReadOnly && (
          <Table.Th w={{ base: 100, sm: 150 }} className="right">
            {t(($) => $.stock.counted)}
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {items.map((item) => (
        <Row key={item.id} item={item} counts={counts} isReadOnly={isReadOnly} />
      ))}
    </Table.Tbody>
  </Table>
)

type RowProps = Omit<Props, "items"> & { item: Item }

const Row = ({ item, counts, isReadOnly }: RowProps) => (
  <Table.Tr>
    <Table.Td style={{ overflowWrap: "anywhere" }}>
      <Anchor component={Link} href={`/items/${item.id}`} size="sm">
        {item.itemName}
      </Anchor>
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          {item.itemCode}
        </Text>
        {item.isLowStock && (
          <Badge color="orange" variant="light" size="sm">
            {itemTexts(($) => $.low)}
          </Badge>
        )}
      </Group>
    </Table.Td>
    <Table.Td className="right">
      <Anchor component={Link} href={`/stock/ledger?item=${item.id}`} inherit>
        {inUnits(item.currentStock, item.uom)}
      </Anchor>
    </Table.Td>
    <Table.Td className="right" visibleFrom="sm">
      {number(item.reservedStock)}
    </Table.Td>
    <Table.Td className="right" visibleFrom="sm">
      {number(item.availableStock)}
    </Table.Td>
    {!isReadOnly && (
      <Table.Td className="right">
        <Count item={item} counts={counts} />
      </Table.Td>
    )}
  </Table.Tr>
)

/** The input of a count, and its difference to the stock. Enter and Tab go to the count of the next item. */
function Count({ item, counts }: { item: Item; counts: Counts }) {
  const value = counts.countOf(item.id)
  const difference = differenceInWords(value, item.currentStock)
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end" align="start">
      {difference !== null && (
        <Text size="sm" className="figures" c="dimmed" mt={6}>
          {difference}
        </Text>
      )}
      <NumberField
        aria-label={t(($) => $.stock.countOf, { name: item.itemName })}
        data-count
        w={84}
        value={value}
        onChange={(next) => counts.set(item, next)}
        onKeyDown={goToNext}
        error={counts.errorOf(item.id)}
        styles={{ input: { textAlign: "right" }, error: { whiteSpace: "normal" } }}
      />
    </Group>
  )
}

/** Shift+Tab keeps its meaning, so that the links of each row can be reached from its count. */
function goToNext(event: KeyboardEvent<HTMLInputElement>): void {
  const { key, shiftKey, currentTarget } = event
  if (key !== "Enter" && (key !== "Tab" || shiftKey)) return
  const inputs = [...document.querySelectorAll<HTMLInputElement>("input[data-count]")]
  const next = inputs[inputs.indexOf(currentTarget) + 1]
  // From the last count, Tab goes to the button that saves.
  if (key === "Enter" || next) event.preventDefault()
  next?.focus()
}

/** The counts that are typed in, by the id of the item. */
type Typed = ReadonlyMap<string, number | string>

/** The counts of a stocktaking that are not saved yet. They are kept while the person searches for other items. */
function useCounts() {
  const [typed, setTyped] = useState<Typed>(new Map())
  const [note, setNote] = useState("")
  const saving = useSave(typed, note, () => {
    setTyped(new Map())
    setNote("")
  })
  const set = (item: Item, value: number | string) => {
    const next = new Map(typed)
    if (value === "") next.delete(item.id)
    else next.set(item.id, value)
    setTyped(next)
    saving.clear()
  }
  const discard = () => {
    setTyped(new Map())
    saving.clear()
  }
  return {
    ...saving,
    isDirty: typed.size > 0,
    size: typed.size,
    countOf: (id: string): number | string => typed.get(id) ?? "",
    set,
    note,
    setNote,
    discard,
  }
}

type Counts = ReturnType<typeof useCounts>

/** Saves all counts in one request. */
function useSave(typed: Typed, note: string, onSaved: () => void) {
  const client = useQueryClient()
  const keys = useIntentions()
  const attempt = useAttempt()
  const [error, setError] = useState<string | null>(null)
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const release = useUnsavedGuard(typed.size > 0)
  const store = async (): Promise<void> => {
    const lines = [...typed].map(([item, counted]) => ({ item, counted }))
    const body = { lines, ...(note.trim() ? { note } : {}) }
    try {
      const options = { body, idempotencyKey: keys.of(body) }
      const { data } = await call<CountResult>("POST", "/stock-movements/count", options)
      release()
      onSaved()
      await client.invalidateQueries()
      tellDone(resultInWords(data.unchanged, data.movements.length))
      // The button that saved is gone.
      focusTop()
    } catch (error) {
      setErrors(errorsOf(error, lines))
      setError(messageIn(error))
    }
  }
  const clear = () => {
    setError(null)
    setErrors(new Map())
  }
  const save = () => {
    clear()
    return attempt.run(store)
  }
  return { save, isSaving: attempt.isSaving, error, errorOf: (id: string) => errors.get(id), clear }
}
