import type { KeyboardEvent } from "react"

/** Letters that follow each other within this time in ms are the beginning of one word. */
const pause = 1_000

let typed: { text: string; at: number; input: HTMLInputElement | null } = { text: "", at: 0, input: null }

/** In a select that is not searched, letters open the list and highlight the option that begins with them. */
export function jumpByLetters(event: KeyboardEvent): void {
  const input = event.currentTarget
  // The arrow keys of `highlight` are not pressed by a person.
  if (!(input instanceof HTMLInputElement) || !input.readOnly || !event.nativeEvent.isTrusted) return
  if (event.key.length > 1 || event.key === " ") return void (typed = { ...typed, input: null })
  if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
  const isSame = typed.input === input && event.timeStamp - typed.at < pause
  typed = { text: (isSame ? typed.text : "") + plain(event.key), at: event.timeStamp, input }
  if (listOf(input) === null) input.click()
  highlight(input, typed.text)
}

/** The same, and Tab takes the highlighted option, as Enter does. */
export function jumpAndTake(event: KeyboardEvent): void {
  jumpByLetters(event)
  const { currentTarget: input } = event
  if (event.key !== "Tab" || !(input instanceof HTMLInputElement) || !input.readOnly) return
  const option = listOf(input)?.querySelector<HTMLElement>(`[${marks.highlighted}]`)
  // The chosen one would be removed by a second choice.
  if (option && !option.hasAttribute(marks.chosen)) option.click()
}

/** The attributes by which Mantine marks options. */
const marks = {
  option: "data-combobox-option",
  disabled: "data-combobox-disabled",
  highlighted: "data-combobox-selected",
  chosen: "data-combobox-active",
}

/** The list of options; null while it is closed. */
const listOf = (input: HTMLInputElement): HTMLElement | null =>
  document.getElementById(input.getAttribute("aria-controls") ?? "")

/** How often a list is looked for that opens. */
const mostTries = 50

function highlight(input: HTMLInputElement, text: string, tries = 0): void {
  const options = [...(listOf(input)?.querySelectorAll<HTMLElement>(`[${marks.option}]`) ?? [])]
  if (typed.input !== input || typed.text !== text || tries > mostTries) return
  // In a list that opens, Mantine moves to the chosen option after a timeout, and ours comes after that.
  if (options.length === 0 || tries === 0) return void setTimeout(() => highlight(input, text, tries + 1))
  const wanted = optionWith(options, text)
  // The arrow keys are how a list is told the option, also for screen readers.
  for (let i = 0; wanted && i <= options.length && !wanted.hasAttribute(marks.highlighted); i++)
    input.dispatchEvent(new window.KeyboardEvent("keydown", { ...down, bubbles: true, cancelable: true }))
}

const down = { key: "ArrowDown", code: "ArrowDown" }

/** Returns the next option that begins with the text. The same letter again goes through all that begin with it. */
function optionWith(options: readonly HTMLElement[], text: string): HTMLElement | undefined {
  const isRepeated = text.length > 1 && new Set(text).size === 1
  const current = Math.max(indexWith(options, marks.highlighted), indexWith(options, marks.chosen))
  const start = text.length === 1 || isRepeated ? current + 1 : Math.max(current, 0)
  const inOrder = [...options.slice(start), ...options.slice(0, start)].filter(
    (option) => !option.hasAttribute(marks.disabled),
  )
  const find = (begin: string) => inOrder.find((option) => plain(option.textContent).trim().startsWith(begin))
  return find(text) ?? (isRepeated ? find(text.slice(0, 1)) : undefined)
}

const indexWith = (options: readonly HTMLElement[], mark: string): number =>
  options.findIndex((option) => option.hasAttribute(mark))

/** Letters without case and accents. */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase()
