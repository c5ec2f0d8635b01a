import { Select, type SelectProps } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useState } from "react"
import { useRead } from "../../api/hooks"
import type { Item } from "../../api/types"
import { number } from "../../format"

type Found = Pick<Item, "id" | "itemCode" | "itemName" | "uom" | "currentStock">

type Props = Pick<SelectProps, "label" | "aria-label" | "error" | "required" | "autoFocus"> & {
  value?: string | null
  onChange: (id: string | null) => void
  /** The item that is selected initially. */
  chosen: Found | null
}

const labelOf = ({ itemCode, itemName }: Found) => `${itemCode} · ${itemName}`

/** Searches items that can have stock, as you type. */
export function ItemPicker({ value, onChange, chosen, ...input }: Props) {
  const [picked, setPicked] = useState(chosen)
  const [typed, setTyped] = useState(chosen ? labelOf(chosen) : "")
  // While the input shows the name of the selected item, the user is not searching.
  const [search] = useDebouncedValue(picked && typed === labelOf(picked) ? "" : typed.trim(), 150)
  const query = new URLSearchParams({
    search,
    "itemType[ne]": "Service",
    fields: "id,itemCode,itemName,uom,currentStock",
    sort: "itemName",
    order: "asc",
    perPage: "20",
  })
  const { data: found = [], isFetching } = useRead<Found[]>(`/items?${query}`)
  const options = picked && !found.some(({ id }) => id === picked.id) ? [picked, ...found] : found
  return (
    <Select
      {...input}
      placeholder="Code or name"
      inputWrapperOrder={["label", "input", "description", "error"]}
      data={options.map((item) => ({ value: item.id, label: labelOf(item) }))}
      // The server has already searched, in more fields than the label shows.
      filter={({ options: all }) => all}
      searchable
      comboboxProps={{ keepMounted: false }}
      clearable
      openOnFocus={false}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={isFetching ? "Searching…" : "No item found"}
      description={picked ? `${number(picked.currentStock)} ${picked.uom} in stock` : undefined}
      value={value}
      onChange={(id) => {
        setPicked(options.find((item) => item.id === id) ?? null)
        onChange(id)
      }}
    />
  )
}
