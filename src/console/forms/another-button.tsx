import { Button } from "@mantine/core"
import { t } from "../texts"
import { useRef } from "react"

/** Saves a new record and shows an empty form for the next one. */
export const AnotherButton = ({ isSaving, onClick }: { isSaving: boolean; onClick: () => void }) => (
  <Button variant="light" disabled={isSaving} onClick={onClick}>
    {t(($) => $.forms.saveAndAdd)}
  </Button>
)

type Saved = { save: () => Promise<void> }

/** Saves a new record in one of two ways: to open it, or to add another one. */
export function useAnother() {
  const wantsAnother = useRef(false)
  const saveAs = (state: Saved, isAnotherWanted: boolean) => {
    wantsAnother.current = isAnotherWanted
    return state.save()
  }
  return {
    isWanted: () => wantsAnother.current,
    /** Returns the state for RecordForm, whose button opens the record, and the action of the other button. */
    buttonsOf: <S extends Saved>(state: S) => ({
      state: { ...state, save: () => saveAs(state, false) },
      saveAndAdd: () => void saveAs(state, true),
    }),
  }
}
