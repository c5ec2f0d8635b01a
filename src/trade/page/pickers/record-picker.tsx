import {
  CloseButton,
  Combobox,
  Group,
  Loader,
  Text,
  TextInput,
  type TextInputProps,
  useCombobox,
} from "@mantine/core"
import { IconPlus } from "../../../console/parts/icons"
import { type ReactNode, useEffect, useState } from "react"
import { call, messageOf } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import type { Kinds } from "../../../console/api/types"
import { keepFromSubmitting } from "../../../console/forms/search-select"
import { selectAllOnClick } from "../../../console/forms/select-all"
import { kinds } from "../../../console/kinds"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"

/** The props of a dialog that creates a record from a picker. */
export type NewRecordProps<T> = {
  /** The text in the picker. */
  typed: string
  onCreated: (record: T) => void
  onClose: () => void
}

/** The last option of a picker: its text if nothing is typed, and the dialog that it opens. */
type Create<T> = { label: string; dialog: (props: NewRecordProps<T>) => ReactNode }

export type RecordPickerProps<K extends PickedKind> = {
  kind: K
  sort: string
  /** Which records can be selected: the active ones by default. */
  where?: Record<string, string>
  /** The text of the selected record; empty if none is selected. */
  picked: string
  onPick: (record: Kinds[K]) => void
  /** Removes the choice, if there may be none. Emptying the text and leaving the input does the same. */
  onClear?: () => void
  /** Returns the unique code or number of a record. A record whose full code was typed comes first. */
  codeOf: (record: Kinds[K]) => string
  show: (record: Kinds[K]) => ReactNode
  nothing: string
  /** How a record is created, for users who may do that. */
  create?: Create<Kinds[K]>
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
> & {
    /** Gets the focus when its dialog opens. */
    "data-autofocus"?: boolean
    /** The path in the form, by which a link can name the input. */
    "data-path"?: string
  }

/** Selects one of many records, or creates one. Searches as you type. */
export function RecordPicker<K extends PickedKind>(props: RecordPickerProps<K>) {
  const {
    kind,
    sort,
    where,
    picked,
    onPick,
    onClear,
    codeOf,
    show,
    nothing,
    create: offered,
    ...input
  } = props
  const picker = usePicker({ kind, sort, where, codeOf })
  const { combobox, search, typed, close } = picker
  const client = useQueryClient()
  const pick = (record: Kinds[K]) => {
    client.setQueryData([kind, record.id], record)
    onPick(record)
  }
  const create = useMay()(kinds[kind].right.area, "write") && offered
  const newRecord = useNewRecord(create || undefined, pick)
  const choose = (id: string) => {
    close()
    if (id === createOption) newRecord.begin(typed?.trim() ?? "")
    else for (const record of search.found) if (record.id === id) pick(record)
  }
  return (
    <>
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.Target withExpandedAttribute autoComplete="off">
          <TextInput
            {...input}
            {...inputPropsOf(picker)}
            {...(onClear && clearing({ picked, typed, close, onClear }))}
            value={typed ?? picked}
          />
        </Combobox.Target>
        <Choices {...search} show={show} nothing={nothing} create={create && labelOf(create, typed)} />
      </Combobox>
      {newRecord.dialog}
    </>
  )
}

/** The dialog in which a record is created, while it is open. */
function useNewRecord<T>(create: Create<T> | undefined, onPick: (record: T) => void) {
  const [typed, setTyped] = useState<string | null>(null)
  const onClose = () => setTyped(null)
  const onCreated = (record: T) => {
    onClose()
    onPick(record)
  }
  return {
    begin: (text: string) => setTyped(text),
    dialog: typed !== null && create?.dialog({ typed, onClose, onCreated }),
  }
}

/** The value of the option that creates a record. */
const createOption = "create"

const labelOf = ({ label }: { label: string }, typed: string | null): string =>
  typed?.trim() ? t(($) => $.pickers.create, { typed: typed.trim() }) : label

type Picker = Pick<ReturnType<typeof usePicker>, "combobox" | "type" | "close"> & {
  search: { isWaiting: boolean }
}

const inputPropsOf = ({ combobox, search, type, close }: Picker): TextInputProps => ({
  maxLength: 200,
  spellCheck: false,
  rightSection: <Sign isSearching={combobox.dropdownOpened && search.isWaiting} />,
  rightSectionPointerEvents: "none",
  onChange: ({ currentTarget }) => type(currentTarget.value),
  onFocus: ({ currentTarget }) => currentTarget.select(),
  onMouseDown: selectAllOnClick.onMouseDown,
  onClick: (event) => {
    selectAllOnClick.onClick(event)
    combobox.openDropdown()
  },
  onBlur: close,
  onKeyDown: keepFromSubmitting,
})

type Clearing = { picked: string; typed: string | null; close: () => void; onClear: () => void }

/** How the choice is removed: with a button, or with an empty text. */
const clearing = ({ picked, typed, close, onClear }: Clearing): TextInputProps => ({
  onBlur: () => {
    if (typed === "" && picked !== "") onClear()
    close()
  },
  ...(picked !== "" &&
    typed === null && {
      rightSection: (
        <CloseButton
          size="sm"
          variant="transparent"
          tabIndex={-1}
          aria-label={common(($) => $.common.clear)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={onClear}
        />
      ),
      rightSectionPointerEvents: "all",
    }),
})

type Search<K extends PickedKind> = Pick<RecordPickerProps<K>, "kind" | "sort" | "where" | "codeOf">

/** The typed text, the search results, and the state of the dropdown. */
function usePicker<K extends PickedKind>(search: Search<K>) {
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
  isSearching ? <Loader size={14} aria-label={t(($) => $.pickers.searching)} /> : <Combobox.Chevron />

type ChoicesProps<T> = {
  found: T[]
  isAnswered: boolean
  error: unknown
  show: (record: T) => ReactNode
  nothing: string
  /** The text of the option that creates a record; false or undefined if there is none. */
  create: string | false | undefined
}

const Choices = <T extends { id: string }>(props: ChoicesProps<T>) => {
  const { found, isAnswered, error, show, nothing, create } = props
  return (
    <Combobox.Dropdown hidden={!isAnswered}>
      <Combobox.Options mah={320} style={{ overflowY: "auto" }} aria-label={t(($) => $.pickers.options)}>
        {found.map((record) => (
          <Combobox.Option key={record.id} value={record.id}>
            {show(record)}
          </Combobox.Option>
        ))}
        {found.length === 0 && <Combobox.Empty>{error ? messageOf(error) : nothing}</Combobox.Empty>}
        {create && (
          <Combobox.Option value={createOption}>
            <Group gap={6} wrap="nowrap">
              <IconPlus size={16} aria-hidden style={{ flexShrink: 0 }} />
              <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                {create}
              </Text>
            </Group>
          </Combobox.Option>
        )}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}

/** The kinds of records that a picker offers. */
type PickedKind = "items" | "customers" | "tax-codes"

type Options<K extends PickedKind> = {
  kind: K
  sort: string
  where?: Record<string, string>
  codeOf: (record: Kinds[K]) => string
  /** The typed text; null if the user is not typing. */
  typed: string | null
  isWanted: boolean
}

const active = { status: "active" }

/** Finds the records that match the typed text. A record whose full code was typed comes first. */
function useFound<K extends PickedKind>(options: Options<K>) {
  const { kind, sort, where = active, codeOf, isWanted } = options
  const typed = options.typed?.trim() ?? ""
  const [searched] = useDebouncedValue(typed, 150)
  const { data, error, isFetching } = useQuery({
    queryKey: [kind, "picker", where, searched],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        ...where,
        perPage: "20",
        sort,
        order: "asc",
        search: searched,
      })
      return (await call<Kinds[K][]>("GET", `/${kind}?${query}`, { signal })).data
    },
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  const isExact = (record: Kinds[K]) => codeOf(record).toLowerCase() === searched.toLowerCase()
  return {
    data,
    found: [...(data ?? [])].sort((a, b) => Number(isExact(b)) - Number(isExact(a))),
    searched,
    error,
    isAnswered: data !== undefined || Boolean(error),
    isWaiting: isFetching || searched !== typed,
  }
}
