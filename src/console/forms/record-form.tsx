import { Alert, Button, Group, Modal, Stack, Table, Text } from "@mantine/core"
import { type ReactNode, useEffect } from "react"
import { ErrorAlert } from "../parts/error-alert"
import { t } from "../texts"
import type { RecordFormState } from "./use-record-form"
import { mayDiscard } from "./unsaved"
import { shown } from "../parts/shown"
import { fieldName } from "../texts/fields"
import type { Difference } from "./body"
import { useSearch } from "wouter"

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

/**
 * Tells that somebody has saved the record that the user edits. It is below the inputs, so that it moves none of them,
 * and at the bottom of the window if the end of the form is below it.
 */
function ChangedMeanwhile({ onLoad }: { onLoad: (() => void) | null }) {
  if (!onLoad) return null
  const askAndLoad = async () => {
    if (await mayDiscard(t(($) => $.forms.unsavedText))) onLoad()
  }
  return (
    <Alert color="blue" role="status" p="xs" className="changed-meanwhile">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t(($) => $.forms.changedMeanwhile)}</Text>
        <Button size="xs" variant="default" onClick={() => void askAndLoad()}>
          {t(($) => $.forms.loadAgain)}
        </Button>
      </Group>
    </Alert>
  )
}

type ConflictDialogProps = {
  state: RecordFormState
  /** Describes the value of a field, if the value itself is not readable. */
  describe?: (field: string, value: unknown) => string | undefined
}

/** Shows both versions when two users changed the same record. */
function ConflictDialog({ state, describe }: ConflictDialogProps) {
  const { conflict, keepMine, takeTheirs, isSaving } = state
  return (
    <Modal
      opened={conflict !== null}
      onClose={takeTheirs}
      title={t(($) => $.forms.conflict)}
      size="lg"
      closeOnClickOutside={false}
      withCloseButton={false}
      closeOnEscape={false}
    >
      <Text size="sm" mb="sm">
        {t(($) => $.forms.conflictText)}
      </Text>
      <BothVersions changes={conflict?.changes ?? []} describe={describe} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={takeTheirs}>
          {t(($) => $.forms.discardMine)}
        </Button>
        <Button loading={isSaving} onClick={() => keepMine()}>
          {t(($) => $.forms.saveMine)}
        </Button>
      </Group>
    </Modal>
  )
}

type BothProps = { changes: Difference[]; describe: ConflictDialogProps["describe"] }

function BothVersions({ changes, describe }: BothProps) {
  const inWords = (field: string, value: unknown) => describe?.(field, value) ?? shown(field, value)
  const mineInWords = ({ field, mine }: Difference) => {
    if (mine === undefined) return t(($) => $.forms.notChanged)
    return field === "password" ? t(($) => $.forms.asEntered) : inWords(field, mine)
  }
  return (
    <Table.ScrollContainer
      minWidth={360}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.forms.bothVersions) },
      }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(($) => $.forms.field)}</Table.Th>
            <Table.Th>{t(($) => $.forms.yourVersion)}</Table.Th>
            <Table.Th>{t(($) => $.forms.savedVersion)}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.field}>
              <Table.Th scope="row">{fieldName(change.field)}</Table.Th>
              <Table.Td>{mineInWords(change)}</Table.Td>
              <Table.Td>{inWords(change.field, change.theirs)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** The parameter of the URL that names the field to focus: /settings/company?focus=vatId. */
const parameter = "focus"
/** For how many frames a field may be missing, because its page still renders. */
const patience = 60

/** Returns the field that the URL names; null if it names none. */
export const useWantedField = (): string | null => new URLSearchParams(useSearch()).get(parameter)

/** Focuses the field that the URL names, once: the parameter is then removed from the URL. */
function useFocusFromUrl(): void {
  const wanted = useWantedField()
  useEffect(() => {
    if (wanted === null) return
    let frame = 0
    const attempt = (left: number) => {
      const field = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(wanted)}"]`)
      if (!field && left > 0) return void (frame = requestAnimationFrame(() => attempt(left - 1)))
      field?.focus({ preventScroll: true })
      field?.scrollIntoView({ block: "center" })
      replaceParameters([parameter])
    }
    // The page is shown from its top first.
    frame = requestAnimationFrame(() => attempt(patience))
    return () => cancelAnimationFrame(frame)
  }, [wanted])
}

/** Removes parameters from the URL, and sets others, without a new entry in the history. */
export function replaceParameters(removed: readonly string[], set: Record<string, string> = {}): void {
  const url = new URL(location.href)
  for (const name of removed) url.searchParams.delete(name)
  for (const [name, value] of Object.entries(set)) url.searchParams.set(name, value)
  history.replaceState(history.state, "", url)
}
