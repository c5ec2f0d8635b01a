import { unitOf } from "../../../../trade/page/in-words"
import { Alert, Anchor, Button, Group, Paper, Stack, Switch, Text, TextInput } from "@mantine/core"
import { useEffect, useMemo, useState } from "react"
import { Link } from "wouter"
import { useMe } from "../../../../console/api/hooks"
import { moment, number } from "../../../../console/format"
import { ImportButton } from "../../../../console/parts/import-button"
import { ErrorAlert } from "../../../../console/parts/error-alert"
import { OnlyFor, Page, Section } from "../../../../console/parts/page"
import { tellDone, tellError } from "../../../../console/parts/tell"
import { t as common } from "../../../../console/texts"
import { t } from "../texts"
import { type CountResult, errorsOf, messageIn, mostLines, resultInWords } from "../stock-actions"
import { type CountDraft, type CountedItem, type CountedLine, useAddsOne, useDraft } from "./draft"
import { readStock } from "./find-item"
import { type LineActions, LinesTable } from "./lines-table"
import { type ScanState, useScan, type Scan } from "./use-scan"
import { BusyButton } from "../../../../console/parts/busy-button"
import { confirm } from "../../../../console/parts/confirm"
import { useQueryClient } from "@tanstack/react-query"
import { call } from "../../../../console/api/client"
import { newKey, useAttempt } from "../../../../console/forms/use-record-form"
import type { Typed } from "../../../../console/forms/number"
import { NumberField } from "../../../../console/forms/number-field"

/** Counts the stock with a barcode scanner. This device keeps the count until it is saved. */
export default function StockCount() {
  const title = t(($) => $.stockCount.title)
  const parent = { title: t(($) => $.stock.title), href: "/stock" }
  return (
    <OnlyFor
      area="stock"
      scope="write"
      title={title}
      parent={parent}
      sentence={t(($) => $.stockCount.onlyFor)}
    >
      <Page
        title={title}
        parent={parent}
        actions={<ImportButton kind="stock-counts" label={t(($) => $.stockCount.fromFile)} />}
      >
        <CountOfUser />
      </Page>
    </OnlyFor>
  )
}

/** Offers to continue a count that was not saved, before it begins a new one. */
function CountOfUser() {
  const draft = useDraft(useMe().id)
  const [isOffered, setOffered] = useState(draft.draft.lines.length > 0)
  if (!isOffered) return <Counting draft={draft} />
  const goOn = () => {
    setOffered(false)
    readStock(draft.draft.lines.map(({ id }) => id)).then(draft.refresh, tellError)
  }
  const discard = () => {
    draft.discard()
    setOffered(false)
  }
  return <Offer draft={draft} onContinue={goOn} onDiscard={discard} />
}

type OfferProps = { draft: CountDraft; onContinue: () => void; onDiscard: () => void }

const Offer = ({ draft: { draft }, onContinue, onDiscard }: OfferProps) => (
  <Section title={t(($) => $.stockCount.unsaved)}>
    <Text size="sm">
      {t(($) => $.stockCount.unsavedText, {
        count: draft.lines.length,
        shown: number(draft.lines.length),
        time: moment(draft.changedAt),
      })}
    </Text>
    <Group gap="xs">
      <Button autoFocus onClick={onContinue}>
        {t(($) => $.stockCount.continue)}
      </Button>
      <Button variant="default" onClick={onDiscard}>
        {t(($) => $.stock.discard)}
      </Button>
    </Group>
  </Section>
)

function Counting({ draft }: { draft: CountDraft }) {
  const [addsOne, setAddsOne] = useAddsOne()
  const state = useScan(draft, addsOne)
  const saving = useSaveCount(draft)
  const { lines } = draft.draft
  const { toCode } = state.inputs
  const actions = useLineActions(draft, toCode)
  useEffect(() => {
    // The button that saved is gone.
    if (saving.saved) toCode()
  }, [saving.saved])
  return (
    <>
      <Result saved={saving.saved} />
      <Stack gap="md">
        {!draft.isKept && <Alert color="yellow">{t(($) => $.stockCount.notKept)}</Alert>}
        <ScanForm state={state} addsOne={addsOne} onAddsOne={setAddsOne} />
        <MissedCodes draft={draft} onDismissed={toCode} />
        {lines.length === 0 ? (
          <Text c="dimmed">{t(($) => $.stockCount.intro)}</Text>
        ) : (
          <>
            <SaveBar draft={draft} saving={saving} onDiscarded={toCode} />
            <LinesTable lines={lines} errors={saving.errors.lines} actions={actions} />
          </>
        )}
      </Stack>
    </>
  )
}

function useLineActions(draft: CountDraft, goOn: () => void): LineActions {
  return useMemo(
    () => ({
      correct: draft.correct,
      remove: (line) => {
        draft.remove(line.id)
        tellDone(t(($) => $.stockCount.removed, { name: line.itemName }))
        goOn()
      },
      goOn,
    }),
    [],
  )
}

/** What was saved, with a link to the ledger. */
const Result = ({ saved }: { saved: Saved | null }) => (
  <div role="status">
    {saved && (
      <Alert color="teal" mb="md" title={t(($) => $.stockCount.saved)}>
        {resultInWords(saved.unchanged, saved.corrected)}{" "}
        {saved.corrected > 0 && (
          <Anchor component={Link} href="/stock/ledger?reason%5Bin%5D=adjustment" inherit>
            {t(($) => $.stockCount.movements)}
          </Anchor>
        )}
      </Alert>
    )}
  </div>
)

type Props = { draft: CountDraft; onDismissed: () => void }

/** The codes that were scanned but not counted, until they are dismissed. Screen readers announce each new one. */
const MissedCodes = ({ draft, onDismissed }: Props) => (
  <div role="status">
    {draft.draft.missed.length > 0 && (
      <Alert
        color="yellow"
        role="group"
        title={t(($) => $.stockCount.missed)}
        aria-label={t(($) => $.stockCount.missed)}
        withCloseButton
        closeButtonLabel={t(($) => $.stockCount.dismissMissed)}
        onClose={() => {
          draft.dismissMissed()
          onDismissed()
        }}
      >
        {draft.draft.missed.map(({ code, times }) => (
          <Text key={code} size="sm" style={{ overflowWrap: "anywhere" }}>
            {times === 1 ? code : t(($) => $.stockCount.missedTimes, { code, shown: number(times) })}
          </Text>
        ))}
      </Alert>
    )}
  </div>
)

type SaveBarProps = { draft: CountDraft; saving: CountSaving; onDiscarded: () => void }

/**
 * Saves or discards the count. It is above the lines, so that it can be reached by keyboard without going through all
 * of them. It is no form, because a scan into the note ends with Enter and must not save the count.
 */
function SaveBar({ draft, saving, onDiscarded }: SaveBarProps) {
  const { lines, note } = draft.draft
  const discard = async () => {
    const isSure = await confirm({
      title: t(($) => $.stockCount.confirmDiscard),
      text: t(($) => $.stockCount.discardText, { count: lines.length, shown: number(lines.length) }),
      action: t(($) => $.stock.discard),
    })
    if (!isSure) return
    draft.discard()
    onDiscarded()
  }
  return (
    <Paper withBorder p="sm">
      <ErrorAlert message={saving.errors.message} />
      <Group gap="sm" mt={saving.errors.message ? "sm" : 0}>
        <Text size="sm" fw={600}>
          {t(($) => $.stock.itemsCounted, { count: lines.length, shown: number(lines.length) })}
        </Text>
        <TextInput
          aria-label={t(($) => $.stock.countNote)}
          placeholder={common(($) => $.fields.note)}
          maxLength={500}
          value={note}
          onChange={({ currentTarget }) => draft.setNote(currentTarget.value)}
          style={{ flex: 1, minWidth: 120 }}
        />
        <Button variant="default" onClick={discard} disabled={saving.isSaving}>
          {t(($) => $.stock.discard)}
        </Button>
        <BusyButton isBusy={saving.isSaving} onClick={() => void saving.save()}>
          {t(($) => $.stock.saveCount)}
        </BusyButton>
      </Group>
    </Paper>
  )
}

type Line = { item: string; counted: CountedLine["counted"] }

/** How many counts were saved, by whether they equal the stock. */
type Saved = { unchanged: number; corrected: number }

type Errors = { message: string | null; lines: ReadonlyMap<string, string> }

const noErrors: Errors = { message: null, lines: new Map() }

/**
 * Saves the count in requests of up to 1,000 lines. Saved lines leave the draft, so if a request fails, the lines that
 * are left can be corrected and saved again.
 */
function useSaveCount(draft: CountDraft) {
  const client = useQueryClient()
  const attempt = useAttempt()
  const [errors, setErrors] = useState(noErrors)
  const [saved, setSaved] = useState<Saved | null>(null)
  const store = async (): Promise<void> => {
    const lines = draft.latest().lines.map(({ id, counted }) => ({ item: id, counted }))
    const sum: Saved = { unchanged: 0, corrected: 0 }
    for (let i = 0; i < lines.length; i += mostLines) {
      const part = lines.slice(i, i + mostLines)
      try {
        const { unchanged, movements } = await send(draft, part)
        draft.removeSaved(part)
        sum.unchanged += unchanged
        sum.corrected += movements.length
      } catch (error) {
        setErrors({ message: messageAfter(i, messageIn(error)), lines: errorsOf(error, part) })
        return void client.invalidateQueries()
      }
    }
    draft.finish()
    setSaved(sum)
    await client.invalidateQueries()
  }
  const save = () => {
    const lines = problemsIn(draft.latest().lines)
    setSaved(null)
    setErrors(lines.size === 0 ? noErrors : { message: t(($) => $.stock.countInvalid), lines })
    return lines.size === 0 ? attempt.run(store) : Promise.resolve()
  }
  return { save, isSaving: attempt.isSaving, saved, errors, clearErrors: () => setErrors(noErrors) }
}

type CountSaving = ReturnType<typeof useSaveCount>

/** Finds counts that the server would refuse, before the first request is sent. */
const problemsIn = (lines: readonly CountedLine[]) =>
  new Map(
    lines
      .filter(({ counted }) => typeof counted !== "number" || counted < 0)
      .map(({ id }) => [id, t(($) => $.stockCount.negative)]),
  )

/** Sends some lines. A repetition of the same lines has the same key, also after the page was loaded again. */
async function send(draft: CountDraft, lines: readonly Line[]): Promise<CountResult> {
  const { note, sending } = draft.latest()
  const body = { lines, ...(note.trim() ? { note } : {}) }
  const text = JSON.stringify(body)
  const idempotencyKey = sending?.body === text ? sending.key : newKey()
  draft.setSending({ body: text, key: idempotencyKey })
  return (await call<CountResult>("POST", "/stock-movements/count", { body, idempotencyKey })).data
}

/** An error message, after some lines were saved. */
const messageAfter = (saved: number, message: string): string =>
  saved === 0 ? message : `${t(($) => $.stock.linesSaved, { count: saved, shown: number(saved) })} ${message}`

type ScanFormProps = { state: ScanState; addsOne: boolean; onAddsOne: (addsOne: boolean) => void }

/** The inputs for a barcode scanner: code, Enter, quantity, Enter. */
const ScanForm = ({ state, addsOne, onAddsOne }: ScanFormProps) => (
  <Paper
    component="form"
    withBorder
    p="md"
    noValidate
    aria-label={t(($) => $.stockCount.scan)}
    onSubmit={(event) => {
      event.preventDefault()
      state.submit()
    }}
  >
    <Stack gap="sm">
      <Inputs state={state} addsOne={addsOne} />
      <Outcome scan={state.scan} />
      <Switch
        label={t(($) => $.stockCount.addsOne)}
        description={t(($) => $.stockCount.addsOneHint)}
        checked={addsOne}
        onChange={({ currentTarget }) => {
          onAddsOne(currentTarget.checked)
          state.clear()
        }}
      />
    </Stack>
  </Paper>
)

const Inputs = ({
  state: { scan, dispatch, inputs, lookUp, cancel },
  addsOne,
}: Omit<ScanFormProps, "onAddsOne">) => (
  <Group align="end" gap="sm">
    <TextInput
      ref={inputs.code}
      label={t(($) => $.stockCount.code)}
      size="md"
      autoFocus
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={200}
      style={{ flex: "1 1 200px" }}
      value={scan.code}
      onChange={({ currentTarget }) => dispatch({ type: "code", code: currentTarget.value })}
    />
    {!addsOne && (
      <NumberField
        ref={inputs.quantity}
        label={common(($) => $.fields.quantity)}
        size="md"
        style={{ flex: "0 1 140px" }}
        value={scan.quantity}
        onChange={(quantity) => dispatch({ type: "quantity", quantity })}
        onFocus={lookUp}
        onKeyDown={({ key }) => key === "Escape" && cancel()}
      />
    )}
    <Button type="submit" size="md" variant="default">
      {t(($) => $.stockCount.add)}
    </Button>
  </Group>
)

/** The item whose quantity is asked for, or else what happened to the last scan. An error is announced at once. */
const Outcome = ({ scan: { item, before, problem, done, told } }: { scan: Scan }) => (
  <>
    {problem !== null && (
      <Alert key={told} color="red" role="alert" style={{ overflowWrap: "anywhere" }}>
        {problem}
      </Alert>
    )}
    <Text role="status" fw={item ? undefined : 600} mih="1.55em" style={{ overflowWrap: "anywhere" }}>
      {item ? foundInWords(item, before) : done !== null && <span key={told}>{done}</span>}
    </Text>
  </>
)

function foundInWords(item: CountedItem, before: Typed | undefined): string {
  const stock = t(($) => $.stock.itemStock, {
    quantity: number(item.currentStock),
    unit: unitOf(item.uom, item.currentStock),
  })
  const found = `${item.itemName}: ${stock}.`
  if (before === undefined) return found
  const quantity = typeof before === "number" ? number(before) : before
  return `${found} ${t(($) => $.stockCount.again, { quantity })}`
}
