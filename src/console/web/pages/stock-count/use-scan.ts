import { useLayoutEffect, useReducer, useRef, type Dispatch } from "react"
import { priceDigits, roundedTo } from "../../../../shared/decimal"
import type { Typed } from "../../forms/number"
import { number } from "../../format"
import { t } from "../../texts"
import { differenceInWords } from "../stock/difference"
import type { CountDraft } from "./draft"
import type { Found } from "./find-item"
import { noScan, scanAfter, type Scan, type ScanAction } from "./scan-state"
import { useLookUp } from "./use-look-up"

/**
 * Takes a code, then a quantity, then the next code. The server is asked while the person goes on, and what they type
 * before it responds is not lost. If each scan counts one, it takes codes only.
 */
export function useScan(draft: CountDraft, addsOne: boolean) {
  const [scan, dispatch] = useReducer(scanAfter, noScan)
  const inputs = useInputs(scan)
  const lookUp = useLookUp({ draft, dispatch, onRefused: inputs.toCode })
  const countLater = useCounting(draft, dispatch)
  const code = scan.code.trim()
  const clear = () => {
    lookUp.forget()
    dispatch({ type: "clear" })
    inputs.toCode()
  }
  const take = (count: (before: Typed | undefined) => Typed) => {
    const answer = lookUp.answerOf(code)
    clear()
    countLater(answer, count)
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
    if (addsOne) return take(plusOne)
    if (inputs.isInCode()) return inputs.toQuantity()
    const problem = problemOf(scan.quantity, inputs.quantity.current?.value ?? "")
    if (problem !== null) return refuse(problem, inputs.toQuantity)
    take(() => scan.quantity)
  }
  return { scan, dispatch, inputs, submit, clear, lookUp: () => void lookUp.show(code) }
}

export type ScanState = ReturnType<typeof useScan>

function useInputs({ before, item }: Scan) {
  const code = useRef<HTMLInputElement>(null)
  const quantity = useRef<HTMLInputElement>(null)
  // The old count is selected, so that typing replaces it.
  useLayoutEffect(() => {
    if (before !== undefined) quantity.current?.select()
  }, [before, item])
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

const plusOne = (before: Typed | undefined): Typed =>
  roundedTo((typeof before === "number" ? before : 0) + 1, priceDigits)

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

/** Counts items in the order of the scans, also if the server responds to a later one first. */
function useCounting(draft: CountDraft, dispatch: Dispatch<ScanAction>) {
  const last = useRef(Promise.resolve())
  return (answer: Promise<Found>, count: (before: Typed | undefined) => Typed) => {
    last.current = last.current.then(async () => {
      const found = await answer
      if ("problem" in found) return dispatch({ type: "problem", problem: found.problem })
      draft.count(found.item, count)
      const { itemName: name, uom: unit, currentStock } = found.item
      const counted = draft.countOf(found.item.id) ?? ""
      const difference = differenceInWords(counted, currentStock) ?? ""
      const quantity = typeof counted === "number" ? number(counted) : counted
      dispatch({ type: "done", done: t(($) => $.stockCount.done, { name, quantity, unit, difference }) })
    })
  }
}
