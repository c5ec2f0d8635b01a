import { Combobox, Loader, TextInput, useCombobox, type TextInputProps } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState, type ReactNode } from "react"
import { call, messageOf } from "../api/client"
import type { Kinds } from "../api/types"

type Props<K extends "items" | "customers"> = {
  kind: K
  sort: string
  /** What is picked, in words; empty while nothing is. */
  picked: string
  onPick: (record: Kinds[K]) => void
  /** The code or number that names a record alone: typed in full, it comes first. */
  codeOf: (record: Kinds[K]) => string
  show: (record: Kinds[K]) => ReactNode
  nothing: string
} & Pick<
  TextInputProps,
  | "id"
  | "label"
  | "aria-label"
  | "error"
  | "description"
  | "inputWrapperOrder"
  | "placeholder"
  | "required"
  | "autoFocus"
>

/** Picks one of many active records: they are searched as one types. */
export function RecordPicker<K extends "items" | "customers">(props: Props<K>) {
  const { kind, sort, picked, onPick, codeOf, show, nothing, ...input } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [asked] = useDebouncedValue(typed?.trim() ?? "", 150)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { data, error, isFetching } = useQuery({
    queryKey: [kind, "picker", asked],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        status: "active",
        perPage: "20",
        sort,
        order: "asc",
        search: asked,
      })
      return (await call<Kinds[K][]>("GET", `/${kind}?${query}`, { signal })).data
    },
    enabled: combobox.dropdownOpened,
    placeholderData: keepPreviousData,
  })
  const isExact = (record: Kinds[K]) => codeOf(record).toLowerCase() === asked.toLowerCase()
  const found = [...(data ?? [])].sort((a, b) => Number(isExact(b)) - Number(isExact(a)))
  const isWaiting = isFetching || asked !== (typed?.trim() ?? "")

  // Enter takes the first that fits, but only once what is shown is what was asked for.
  useEffect(() => {
    if (!combobox.dropdownOpened) return
    if (asked !== "" && !isWaiting) combobox.selectFirstOption()
    else combobox.resetSelectedOption()
  }, [data, asked, isWaiting])

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        const record = found.find((each) => each.id === id)
        combobox.closeDropdown()
        setTyped(null)
        if (record) onPick(record)
      }}
    >
      <Combobox.Target withExpandedAttribute autoComplete="off">
        <TextInput
          {...input}
          value={typed ?? picked}
          maxLength={200}
          spellCheck={false}
          rightSection={
            combobox.dropdownOpened && isWaiting ? (
              <Loader size={14} aria-label="Searching" />
            ) : (
              <Combobox.Chevron />
            )
          }
          rightSectionPointerEvents="none"
          onChange={({ currentTarget: { value } }) => {
            setTyped(value)
            combobox.openDropdown()
          }}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown()
            setTyped(null)
          }}
          onKeyDown={(event) => {
            // In a picker, Enter picks; it does not send the form.
            if (event.key === "Enter") event.preventDefault()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={data === undefined && !error}>
        <Combobox.Options mah={320} style={{ overflowY: "auto" }} aria-label="Choices">
          {found.map((record) => (
            <Combobox.Option key={record.id} value={record.id}>
              {show(record)}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>{error ? messageOf(error) : nothing}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
