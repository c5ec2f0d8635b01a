import { Button, Group, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { ErrorAlert } from "../parts/error-alert"
import { t } from "../texts"
import { ChangedMeanwhile } from "./changed-meanwhile"
import { ConflictDialog } from "./conflict-dialog"
import { useFocusFromUrl } from "./use-focus-from-url"
import type { RecordFormState } from "./use-record-form"

type Props = {
  state: RecordFormState
  /** True if the user may view but not update the record. */
  isReadOnly?: boolean
  submit?: string
  /** False if another action is the main one of the page. */
  isMain?: boolean
  /** True if the form is so long that its error and its buttons stay at the bottom of the window. */
  isLong?: boolean
  onCancel?: () => void
  /** More buttons next to the save button. */
  actions?: ReactNode
  /** Describes the value of a field in the comparison of two versions. */
  describe?: (field: string, value: unknown) => string | undefined
  children: ReactNode
}

/** The frame of a form: the error above it, or above the buttons of a long form, and the buttons below it. */
export function RecordForm({
  state,
  isReadOnly = false,
  isLong = false,
  describe,
  children,
  ...buttons
}: Props) {
  useFocusFromUrl()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // React passes the event of a form in a dialog on to the form from which the dialog was opened.
        event.stopPropagation()
        void state.save()
      }}
    >
      <Stack>
        {!isLong && <ErrorAlert message={state.error} />}
        <fieldset disabled={isReadOnly} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <Stack>{children}</Stack>
        </fieldset>
        {!isLong && <ChangedMeanwhile onLoad={state.loadNewer} />}
        {!isReadOnly && (
          <div className={isLong ? "form-buttons" : undefined}>
            {isLong && <ChangedMeanwhile onLoad={state.loadNewer} />}
            {isLong && <ErrorAlert message={state.error} />}
            <Buttons isSaving={state.isSaving} {...buttons} />
          </div>
        )}
      </Stack>
      <ConflictDialog state={state} describe={describe} />
    </form>
  )
}

type ButtonsProps = Pick<Props, "submit" | "isMain" | "onCancel" | "actions"> & {
  isSaving: boolean
}

const Buttons = ({
  isSaving,
  submit = t(($) => $.common.save),
  isMain = true,
  onCancel,
  actions,
}: ButtonsProps) => (
  <Group>
    <Button type="submit" variant={isMain ? "filled" : "default"} loading={isSaving}>
      {submit}
    </Button>
    {onCancel && (
      <Button variant="default" onClick={onCancel}>
        {t(($) => $.common.cancel)}
      </Button>
    )}
    {actions}
  </Group>
)
