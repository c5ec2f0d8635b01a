import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core"
import { useLocalStorage } from "@mantine/hooks"
import { useEffect, useMemo, useState } from "react"
import { Link } from "wouter"
import { useMe } from "../../../../console/api/hooks"
import { moment, number } from "../../../../console/format"
import { ImportButton } from "../../../../console/parts/import-button"
import { OnlyFor } from "../../../../console/parts/only-for"
import { Page } from "../../../../console/parts/page"
import { Section } from "../../../../console/parts/section"
import { tellDone, tellError } from "../../../../console/parts/tell"
import { t } from "../../../../console/texts"
import { resultInWords } from "../count-answer"
import { useDraft, type CountDraft } from "./draft"
import { readStock } from "./find-item"
import { LinesTable, type LineActions } from "./lines-table"
import { MissedCodes } from "./missed"
import { SaveBar } from "./save-bar"
import { ScanForm } from "./scan-form"
import { useSaveCount, type Saved } from "./use-save-count"
import { useScan } from "./use-scan"

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
  const [addsOne, setAddsOne] = useLocalStorage({
    key: "kontor.scan-adds-one",
    defaultValue: false,
    getInitialValueInEffect: false,
  })
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
