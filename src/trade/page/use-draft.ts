import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { useMe } from "../../console/api/hooks"
import type { ApiAnswer, Kinds } from "../../console/api/types"
import { digitsOf } from "../../console/format"
import { emptyAsNull } from "../../console/forms/body"
import { placeError } from "../../console/forms/field-errors"
import { useRecordForm } from "../../console/forms/use-record-form"
import { showTop } from "../../console/parts/page"
import { tellWarnings } from "../../console/parts/tell"
import { addressBody, type DocumentValues } from "./document-values"
import { linesBody } from "./lines-body"
import type { DocumentKind } from "./use-steps"

type Options<K extends DocumentKind, V extends DocumentValues> = {
  kind: K
  /** The draft; null for a new document. */
  record: Kinds[K] | null
  valuesOf: (record: Kinds[K] | null) => V
  /** Finalizes the saved draft. Returns null if the user keeps the draft. */
  finalize: (saved: Kinds[K]) => Promise<ApiAnswer<Kinds[K]> | null>
  /** Runs after the document was saved or finalized, or after the user kept the draft. */
  onDone: (saved: Kinds[K], outcome: "saved" | "finalized" | "kept") => void
  /** Handles an error of finalizing, if the form must not show it. */
  onRefused?: (saved: Kinds[K], error: unknown) => void
}

/**
 * Saves the draft of an order or an invoice. It can also finalize the draft: submit the order or issue the invoice. The
 * form is saved before that.
 */
export function useDraft<K extends DocumentKind, V extends DocumentValues>(options: Options<K, V>) {
  const { kind, record, valuesOf, onDone } = options
  const wantsFinal = useRef(false)
  const digits = digitsOf(useMe().company.currency)
  const finalizing = useFinalizing(options, (error) => placeError(state.form, error))
  const state = useRecordForm<K, V>({
    kind,
    record,
    valuesOf,
    bodyOf: (values) => ({
      ...emptyAsNull(values),
      shippingAddress: addressBody(values.shippingAddress),
      items: linesBody(values.items, digits),
    }),
    companions: { customer: ["paymentTerms", "shippingAddress"] },
    onSaved: (saved) => void (wantsFinal.current ? finalizing.run(saved) : onDone(saved, "saved")),
  })
  const save = (andFinalize: boolean) => {
    wantsFinal.current = andFinalize
    finalizing.forgetError()
    return state.save()
  }
  return {
    ...state,
    error: state.error ?? finalizing.error,
    isSaving: state.isSaving && !wantsFinal.current,
    isFinalizing: finalizing.isRunning || (state.isSaving && wantsFinal.current),
    save: () => save(false),
    saveAndFinalize: () => save(true),
  }
}

/** Finalizes a saved draft. `messageOfError` returns the message to show above the form. */
function useFinalizing<K extends DocumentKind, V extends DocumentValues>(
  { kind, finalize, onDone, onRefused }: Options<K, V>,
  messageOfError: (error: unknown) => string | null,
) {
  const client = useQueryClient()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const run = async (saved: Kinds[K]): Promise<void> => {
    setRunning(true)
    try {
      const answer = await finalize(saved)
      if (!answer) return onDone(saved, "kept")
      client.setQueryData([kind, saved.id], answer.data)
      tellWarnings(answer.warnings)
      onDone(answer.data, "finalized")
      showTop()
    } catch (error) {
      if (onRefused) onRefused(saved, error)
      else setError(messageOfError(error))
    } finally {
      setRunning(false)
      await client.invalidateQueries()
    }
  }
  return { isRunning, error, run, forgetError: () => setError(null) }
}
