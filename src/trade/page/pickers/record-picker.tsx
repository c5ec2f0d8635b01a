import {
  CloseButton,
  Combobox,
  type ComboboxStore,
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
  /** The fields with a unique code or number. A record of which one was typed in full comes first. */
  codes: readonly (keyof Kinds[K] & string)[]
  show: (record: Kinds[K]) => ReactNode
  nothing: string
  /** How a record is created, for users who may do that. */
  create?: Create<Kinds[K]>
  /** A code that was scanned before the picker was shown. */
  entered?: string | undefined
  /** Called with a scanned code that no record has: the next scan replaces it. */
  onUnknown?: ((code: string) => void) | undefined
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
    codes,
    show,
    nothing,
    create: offered,
    entered,
    onUnknown,
    ...input
  } = props
  const picker = usePicker({ kind, sort, where, codes })
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
  useEntered(picker, choose, onUnknown)
  useEffect(() => {
    if (entered !== undefined) picker.begin(entered)
  }, [])
  return (
    <>
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.Target withExpandedAttribute autoComplete="off">
          <TextInput
            {...input}
            {...inputPropsOf(picker)}
            {...(onClear && clearing({ picked, typed, leave: picker.leave, onClear }))}
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

type Picker = Pick<ReturnType<typeof usePicker>, "combobox" | "type" | "enter" | "endEntered" | "leave"> & {
  search: { isWaiting: boolean }
}

const inputPropsOf = ({ combobox, search, type, enter, endEntered, leave }: Picker): TextInputProps => ({
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
  onBlur: leave,
  onKeyDown: (event) => {
    keepFromSubmitting(event)
    if (event.key === "Enter") enter()
    if (event.key === "Escape") endEntered()
  },
})

type Clearing = { picked: string; typed: string | null; leave: () => void; onClear: () => void }

/** How the choice is removed: with a button, or with an empty text. */
const clearing = ({ picked, typed, leave, onClear }: Clearing): TextInputProps => ({
  onBlur: () => {
    if (typed === "" && picked !== "") onClear()
    leave()
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

type Search<K extends PickedKind> = Pick<RecordPickerProps<K>, "kind" | "sort" | "where" | "codes">

/** The typed text, the search results, and the state of the dropdown. */
function usePicker<K extends PickedKind>(search: Search<K>) {
  const [typed, setTyped] = useState<string | null>(null)
  /** The text that is searched without a pause for more, and whether Enter waits for its results. */
  const [hurried, setHurried] = useState("")
  const [isEntered, setEntered] = useState(false)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const answer = useFound({ ...search, typed, hurried, isWanted: combobox.dropdownOpened })
  const { data, searched, isWaiting } = answer
  const close = () => {
    combobox.closeDropdown()
    setTyped(null)
    setEntered(false)
  }
  // Enter selects the first result, but only after the results of the current search have arrived.
  useEffect(() => {
    if (!combobox.dropdownOpened) return
    if (searched !== "" && !isWaiting && !isUnknownScan(answer)) combobox.selectFirstOption()
    else combobox.resetSelectedOption()
  }, [data, searched, isWaiting])
  return {
    combobox,
    search: answer,
    typed,
    isEntered,
    type: (text: string) => {
      setTyped(text)
      setEntered(false)
      combobox.openDropdown()
    },
    /** Enter takes the highlighted option. Without one, it waits for the results. */
    enter: () => {
      const text = typed?.trim() ?? ""
      if (text === "") return
      if (combobox.dropdownOpened && !isWaiting && combobox.getSelectedOptionIndex() >= 0) return
      combobox.resetSelectedOption()
      setHurried(text)
      setEntered(true)
      combobox.openDropdown()
    },
    /** Searches a text as if it was typed with Enter. */
    begin: (text: string) => {
      setTyped(text)
      setHurried(text)
      setEntered(true)
      combobox.openDropdown()
    },
    endEntered: () => setEntered(false),
    /** Somebody who leaves after Enter still gets what they have entered. */
    leave: () => {
      if (!isEntered) close()
    },
    close,
  }
}

/** True for a code that no record has. A second Enter, which some scanners send, must not create one. */
const isUnknownScan = ({ found, searched }: { found: readonly unknown[]; searched: string }): boolean =>
  found.length === 0 && /^\d{8,14}$/.test(searched)

type Entering = {
  combobox: ComboboxStore
  search: { found: { id: string }[]; exact: { id: string } | undefined; searched: string; isWaiting: boolean }
  isEntered: boolean
  endEntered: () => void
  close: () => void
}

/**
 * Takes the record whose code was typed in full when its results arrive after Enter, as with a scanner. Others are not
 * taken, because nobody has seen them: the first one is highlighted, and another Enter takes it.
 */
function useEntered(
  { combobox, search, isEntered, endEntered, close }: Entering,
  choose: (id: string) => void,
  onUnknown?: (code: string) => void,
) {
  const { exact, isWaiting } = search
  useEffect(() => {
    if (!isEntered || isWaiting) return
    endEntered()
    const input = combobox.targetRef.current
    if (exact) choose(exact.id)
    else if (input !== document.activeElement) close()
    else {
      // The next scan replaces the text.
      if (input instanceof HTMLInputElement) input.select()
      if (isUnknownScan(search)) onUnknown?.(search.searched)
      else combobox.selectFirstOption()
    }
  }, [isEntered, isWaiting])
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
  codes: readonly (keyof Kinds[K] & string)[]
  /** The typed text; null if the user is not typing. */
  typed: string | null
  /** A text that is searched at once. */
  hurried: string
  isWanted: boolean
}

const active = { status: "active" }

/** The most records that are offered at once. */
const mostShown = 20

const sameCode = (code: unknown, typed: string): boolean =>
  typeof code === "string" && code.toLowerCase() === typed.toLowerCase()

/** Finds the records that match the typed text. A record whose full code was typed comes first. */
function useFound<K extends PickedKind>(options: Options<K>) {
  const { kind, sort, where = active, codes, isWanted } = options
  const typed = options.typed?.trim() ?? ""
  const [paused] = useDebouncedValue(typed, 150)
  const searched = options.hurried === typed ? typed : paused
  const isExact = (record: Kinds[K]) =>
    searched !== "" && codes.some((code) => sameCode(record[code], searched))
  const { data, error, isFetching } = useQuery({
    queryKey: [kind, "picker", where, searched],
    queryFn: async ({ signal }) => {
      const read = async (filter: Record<string, string>) => {
        const query = new URLSearchParams({
          ...where,
          perPage: String(mostShown),
          sort,
          order: "asc",
          ...filter,
        })
        return (await call<Kinds[K][]>("GET", `/${kind}?${query}`, { signal })).data
      }
      const found = await read({ search: searched })
      const isComplete = found.length > 0 && found.length < mostShown
      if (searched === "" || isComplete || found.some(isExact)) return found
      // The one with the code may be on a later page, or have a code without a letter or digit, which no search finds.
      const others = await Promise.all(codes.map((code) => read({ [code]: searched })))
      return [...new Map([...others.flat(), ...found].map((record) => [record.id, record])).values()]
    },
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  const found = [...(data ?? [])].sort((a, b) => Number(isExact(b)) - Number(isExact(a)))
  return {
    data,
    found,
    exact: found.find(isExact),
    searched,
    error,
    isAnswered: data !== undefined || Boolean(error),
    isWaiting: isFetching || searched !== typed,
  }
}
