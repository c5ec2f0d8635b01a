import { Autocomplete, type AutocompleteProps, Select, type SelectProps, TagsInput } from "@mantine/core"
import { type KeyboardEvent, useState } from "react"
import { bestFirst } from "./best-first"
import { selectAllOnClick } from "./select-all"
import type { UseFormReturnType } from "@mantine/form"
import { t } from "../texts"

type Option = { value: string; label: string }
type Props = Omit<SelectProps, "data" | "searchable" | "filter"> & { data: Option[] }

/**
 * A select that is searched by typing. Typing replaces its text and highlights the best match. Enter chooses the
 * highlighted option. It never submits the form, and never removes the choice.
 */
export const SearchSelect = ({ onFocus, ...props }: Props) => (
  <Select
    {...props}
    {...selectAllOnClick}
    // A dialog that focuses the input does not select its text, as Tab does.
    onFocus={(event) => {
      event.currentTarget.select()
      onFocus?.(event)
    }}
    searchable
    selectFirstOptionOnChange
    allowDeselect={false}
    filter={({ options, search }) => bestFirst(options as Option[], search)}
    // A list that stays mounted while it is closed would keep an option highlighted.
    comboboxProps={{ keepMounted: false }}
    onKeyDown={chooseHighlighted}
  />
)

/**
 * Chooses the option that is shown as highlighted. Mantine forgets which one it is while the list opens, and then Enter
 * would do nothing for a user who types fast.
 */
function chooseHighlighted(event: KeyboardEvent): void {
  if (event.key !== "Enter") return
  event.preventDefault()
  const list = document.getElementById(event.currentTarget.getAttribute("aria-controls") ?? "")
  list?.querySelector<HTMLElement>("[data-combobox-selected]")?.click()
}

/** In a select or a picker, Enter chooses an option. It must not submit the form. */
export const keepFromSubmitting = (event: KeyboardEvent): void => {
  if (event.key === "Enter") event.preventDefault()
}

type SuggestInputProps = Omit<AutocompleteProps, "data" | "filter" | "onOptionSubmit"> & { data: string[] }

/**
 * A text input with suggestions. It offers all of them until the user types, then those that contain the text. If none
 * does, the list closes.
 */
export function SuggestInput({ data, onFocus, ...props }: SuggestInputProps) {
  // The text that was there before the user began to type.
  const [start, setStart] = useState<string | null>(null)
  return (
    <Autocomplete
      data={data}
      filter={({ search }) =>
        (search === start ? data : matching(data, search)).map((value) => ({ value, label: value }))
      }
      // A list that stays mounted while it is closed would keep an option highlighted.
      comboboxProps={{ keepMounted: false }}
      {...props}
      onFocus={(event) => {
        setStart(event.currentTarget.value)
        onFocus?.(event)
      }}
      onOptionSubmit={setStart}
    />
  )
}

function matching(data: string[], search: string): string[] {
  const typed = search.trim().toLowerCase()
  return data.map((each) => each.toLowerCase()).includes(typed)
    ? []
    : data.filter((each) => each.toLowerCase().includes(typed))
}

type TagsProps<V> = {
  form: UseFormReturnType<V>
  name: keyof V & string
  label: string
  description?: string
  placeholder?: string
  required?: boolean
}

/** A list of short texts. The server's errors refer to single texts (allowedIps[1]); all are shown below the field. */
export function TagsField<V extends Record<string, unknown>>({ form, name, ...rest }: TagsProps<V>) {
  const values = form.values[name] as string[]
  const errors = Object.entries(form.errors).flatMap(([path, message]) => {
    const [field, place] = path.split(".")
    if (field !== name) return []
    if (place === undefined) return [message]
    return [t(($) => $.forms.tagError, { text: values[Number(place)] ?? "", message: String(message) })]
  })
  return (
    <TagsInput
      {...rest}
      value={values}
      onChange={(next) => {
        form.setFieldValue(name, next as never)
        form.setErrors(Object.fromEntries(Object.entries(form.errors).filter(([path]) => !isOf(path, name))))
      }}
      error={errors.length > 0 ? errors.join("; ") : undefined}
    />
  )
}

const isOf = (path: string, name: string) => path === name || path.startsWith(`${name}.`)
