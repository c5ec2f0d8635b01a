import { unitOf } from "../../../../trade/page/in-words"
import { type Dispatch, useReducer, useRef } from "react"
import { priceDigits, roundedTo } from "../../../../shared/decimal"
import type { Typed } from "../../../../console/forms/number"
import { number } from "../../../../console/format"
import { t } from "../texts"
import { differenceInWords } from "../stock-actions"
import type { CountDraft, CountedItem } from "./draft"
import { findItem, type Found } from "./find-item"
import { useQueryClient } from "@tanstack/react-query"

/**
 * Takes a code, then a quantity, then the next code. The server is asked while the person goes on, and what they type
 * before it responds is not lost. If each scan counts one, it takes codes only.
 */
export function useScan(draft: CountDraft, addsOne: boolean) {
  const [scan, dispatch] = useReducer(scanAfter, noScan)
  const inputs = useInputs()
  const lookUp = useLookUp({ draft, dispatch, onRefused: inputs.toCode })
  const countLater = useCounting(draft, dispatch)
  const code = scan.code.trim()
  const clear = () => {
    lookUp.forget()
    dispatch({ type: "clear" })
    inputs.toCode()
  }
  const cancel = () => {
    clear()
    dispatch({ type: "cancel" })
  }
  /** Adds a quantity to what is counted of the item. */
  const take = (quantity: number) => {
    const answer = lookUp.answerOf(code)
    clear()
    countLater(code, answer, quantity)
  }
  const refuse = (problem: string, goBack: () => void) => {
    dispatch({ type: "problem", problem })
    goBack()
  }
  const submit = () => {
    if (code === "")
      return refuse(
        t(($) => $.stockCount.codeMissing),
        inputs.toCode,
      )
    if (addsOne) return take(1)
    if (inputs.isInCode()) return inputs.toQuantity()
    const { quantity } = scan
    const problem = problemOf(quantity, inputs.quantity.current?.value ?? "")
    if (problem !== null) return refuse(problem, inputs.toQuantity)
    if (typeof quantity === "number") take(quantity)
  }
  return { scan, dispatch, inputs, submit, clear, cancel, lookUp: () => void lookUp.show(code) }
}

export type ScanState = ReturnType<typeof useScan>

function useInputs() {
  const code = useRef<HTMLInputElement>(null)
  const quantity = useRef<HTMLInputElement>(null)
  const go = (input: HTMLInputElement | null) => {
    input?.focus()
    input?.select()
  }
  return {
    code,
    quantity,
    isInCode: () => document.activeElement === code.current,
    toCode: () => go(code.current),
    toQuantity: () => go(quantity.current),
  }
}

const sumOf = (before: Typed | undefined, quantity: number): number =>
  roundedTo((typeof before === "number" ? before : 0) + quantity, priceDigits)

/**
 * What is wrong with a quantity. `text` is what the input shows. Eight digits or more are the code of the next item,
 * which was scanned before the quantity was typed.
 */
function problemOf(quantity: Typed, text: string): string | null {
  if (quantity === "") return t(($) => $.stockCount.quantityMissing)
  if (typeof quantity === "string" || /^\d{8,}$/.test(text))
    return t(($) => $.stockCount.notAQuantity, { text })
  return quantity < 0 ? t(($) => $.stockCount.negative) : null
}

/**
 * Counts items in the order of the scans, also if the server responds to a later one first. A quantity is added to what
 * was counted before, because the pieces of an item may be in several places.
 */
function useCounting(draft: CountDraft, dispatch: Dispatch<ScanAction>) {
  const last = useRef(Promise.resolve())
  return (code: string, answer: Promise<Found>, quantity: number) => {
    last.current = last.current.then(async () => {
      const found = await answer
      if ("problem" in found) {
        draft.miss(code)
        return dispatch({ type: "problem", problem: found.problem })
      }
      const before = draft.countOf(found.item.id)
      draft.count(found.item, (counted) => sumOf(counted, quantity))
      dispatch({ type: "done", done: doneInWords(found.item, before, quantity) })
    })
  }
}

/** What is counted of an item after a scan: "5 + 6 = 11". */
function doneInWords(item: CountedItem, before: Typed | undefined, quantity: number): string {
  const { itemName: name, uom, currentStock } = item
  const counted = sumOf(before, quantity)
  const unit = unitOf(uom, counted)
  const difference = differenceInWords(counted, currentStock) ?? ""
  const isSum = typeof before === "number"
  const shown = isSum ? `${number(before)} + ${number(quantity)} = ${number(counted)}` : number(counted)
  return t(($) => $.stockCount.done, { name, quantity: shown, unit, difference })
}

type Options = { draft: CountDraft; dispatch: Dispatch<ScanAction>; onRefused: () => void }

/** Looks for the item of the code in the input. */
function useLookUp({ draft, dispatch, onRefused }: Options) {
  const client = useQueryClient()
  const search = useRef<{ code: string; answer: Promise<Found> } | null>(null)
  /** Returns the search that has begun for this code, or begins one. */
  const searchFor = (code: string) => {
    if (search.current?.code === code) return search.current
    return (search.current = { code, answer: findItem(client, code) })
  }
  /** Shows the item, or why it cannot be counted, unless the person has gone on meanwhile. */
  const show = async (code: string): Promise<void> => {
    if (code === "" || search.current?.code === code) return
    const begun = searchFor(code)
    dispatch({ type: "search" })
    const found = await begun.answer
    if (search.current !== begun) return
    if ("item" in found)
      return dispatch({ type: "found", item: found.item, before: draft.countOf(found.item.id) })
    search.current = null
    dispatch({ type: "problem", problem: found.problem })
    onRefused()
  }
  return {
    show,
    answerOf: (code: string): Promise<Found> => searchFor(code).answer,
    forget: () => void (search.current = null),
  }
}

/** The inputs of a scan, and what the person was told about the last one. */
export type Scan = {
  code: string
  quantity: Typed
  /** The item with the code, after the server has responded. */
  item: CountedItem | null
  /** What was counted of the item before this scan. */
  before: Typed | undefined
  problem: string | null
  done: string | null
  /** Increases with each message, so that the same sentence is announced again. */
  told: number
}

type ScanAction =
  | { type: "code"; code: string }
  | { type: "quantity"; quantity: Typed }
  | { type: "search" }
  | { type: "found"; item: CountedItem; before: Typed | undefined }
  | { type: "problem"; problem: string }
  | { type: "done"; done: string }
  | { type: "clear" }
  | { type: "cancel" }

const noScan: Scan = {
  code: "",
  quantity: "",
  item: null,
  before: undefined,
  problem: null,
  done: null,
  told: 0,
}

function scanAfter(scan: Scan, action: ScanAction): Scan {
  switch (action.type) {
    case "code":
      return { ...scan, code: action.code, item: null, before: undefined }
    case "quantity":
      return { ...scan, quantity: action.quantity }
    // The problem was about another code.
    case "search":
      return { ...scan, problem: null }
    case "found":
      return { ...scan, item: action.item, before: action.before }
    case "problem":
      return { ...scan, problem: action.problem, done: null, told: scan.told + 1 }
    case "done":
      return { ...scan, problem: null, done: action.done, told: scan.told + 1 }
    case "clear":
      return { ...noScan, problem: scan.problem, done: scan.done, told: scan.told }
    // What was wrong with the inputs is gone with them.
    case "cancel":
      return { ...noScan, told: scan.told }
  }
}
