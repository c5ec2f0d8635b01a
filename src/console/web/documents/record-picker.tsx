import { Combobox, Loader, TextInput, useCombobox, type TextInputProps } from "@mantine/core"
import { useEffect, useState, type ReactNode } from "react"
import { messageOf } from "../api/client"
import type { Kinds } from "../api/types"
import { keepFromSubmitting } from "../forms/search-select"
import { selectAllOnClick } from "../forms/select-all"
import { useFound } from "./use-found"

type Props<K extends "items" | "customers"> = {
  kind: K
  sort: string
  /** Which records can be selected: the active ones by default. */
  where?: Record<string, string>
  /** The text of the selected record; empty if none is selected. */
  picked: string
  onPick: (record: Kinds[K]) => void
  /** Returns the unique code or number of a record. A record whose full code was typed comes first. */
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

/** Selects one of many records. Searches as you type. */
export function RecordPicker<K extends "items" | "customers">(props: Props<K>) {
  const { kind, sort, where, picked, onPick, codeOf, show, nothing, ...input } = props
  const { combobox, search, typed, type, close } = usePicker({ kind, sort, where, codeOf })
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        const record = search.found.find((each) => each.id === id)
        close()
        if (record) onPick(record)
      }}
    >
      <Combobox.Target withExpandedAttribute autoComplete="off">
        <TextInput
          {...input}
          value={typed ?? picked}
          maxLength={200}
          spellCheck={false}
          rightSection={<Sign isSearching={combobox.dropdownOpened && search.isWaiting} />}
          rightSectionPointerEvents="none"
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onMouseDown={selectAllOnClick.onMouseDown}
          onClick={(event) => {
            selectAllOnClick.onClick(event)
            combobox.openDropdown()
          }}
          onBlur={close}
          onKeyDown={keepFromSubmitting}
        />
      </Combobox.Target>
      <Choices {...search} show={show} nothing={nothing} />
    </Combobox>
  )
}

type Search<K extends "items" | "customers"> = Pick<Props<K>, "kind" | "sort" | "where" | "codeOf">

/** The typed text, the search results, and the state of the dropdown. */
function usePicker<K extends "items" | "customers">(search: Search<K>) {
  const [typed, setTyped] = useState<string | null>(null)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const answer = useFound({ ...search, typed, isWanted: combobox.dropdownOpened })
  const { data, searched, isWaiting } = answer
  // Enter selects the first result, but only after the results of the current search have arrived.
  useEffect(() => {
    if (!combobox.dropdownOpened) return
    if (searched !== "" && !isWaiting) combobox.selectFirstOption()
    else combobox.resetSelectedOption()
  }, [data, searched, isWaiting])
  return {
    combobox,
    search: answer,
    typed,
    type: (text: string) => {
      setTyped(text)
      combobox.openDropdown()
    },
    close: () => {
      combobox.closeDropdown()
      setTyped(null)
    },
  }
}

const Sign = ({ isSearching }: { isSearching: boolean }) =>
  isSearching ? <Loader size={14} aria-label="Searching" /> : <Combobox.Chevron />

type ChoicesProps<T> = {
  found: T[]
  isAnswered: boolean
  error: unknown
  show: (record: T) => ReactNode
  nothing: string
}

const Choices = <T extends { id: string }>({ found, isAnswered, error, show, nothing }: ChoicesProps<T>) => (
  <Combobox.Dropdown hidden={!isAnswered}>
    <Combobox.Options mah={320} style={{ overflowY: "auto" }} aria-label="Options">
      {found.map((record) => (
        <Combobox.Option key={record.id} value={record.id}>
          {show(record)}
        </Combobox.Option>
      ))}
      {found.length === 0 && <Combobox.Empty>{error ? messageOf(error) : nothing}</Combobox.Empty>}
    </Combobox.Options>
  </Combobox.Dropdown>
)
