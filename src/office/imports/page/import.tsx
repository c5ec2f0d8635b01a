import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { Link } from "wouter"
import { useChange } from "../../../console/api/hooks"
import { moment, number } from "../../../console/format"
import { BusyButton } from "../../../console/parts/busy-button"
import { confirm } from "../../../console/parts/confirm"
import { Facts, Page } from "../../../console/parts/page"
import { Loaded } from "../../../console/parts/loaded"
import { OnlyFor } from "../../../console/parts/only-for"
import { tellError } from "../../../console/parts/tell"
import { t } from "./texts"
import { errorInWords } from "./error-in-words"
import { Faults } from "./faults"
import { importKinds, type Import } from "./kinds"
import { ImportProgress } from "./progress"
import { statusColour, statusInWords } from "./status"
import { Step } from "./step"
import { cancelImport, hasEnded, useImport } from "./use-import"

const parent = { title: t(($) => $.title), href: "/import" }

/** One import: how far it has come, and what it has done. */
export default function ImportRecord({ id }: { id: string }) {
  return (
    <OnlyFor area="items" scope="write" title={parent.title} parent={parent} sentence={t(($) => $.onlyFor)}>
      <OneImport id={id} />
    </OnlyFor>
  )
}

function OneImport({ id }: { id: string }) {
  const query = useImport(id)
  return <Loaded query={query}>{(data) => <Shown of={data} />}</Loaded>
}

function Shown({ of }: { of: Import }) {
  const { kind, fileName, status, createdAt, mode } = of
  const isEnded = hasEnded(of)
  useRefresh(isEnded)
  const facts = [
    { label: t(($) => $.data), value: importKinds[kind].title },
    { label: t(($) => $.file), value: fileName },
    { label: t(($) => $.started), value: moment(createdAt) },
    ...(importKinds[kind].hasModes ? [{ label: t(($) => $.modeTitle), value: t(($) => $.mode[mode]) }] : []),
  ]
  return (
    <Page
      title={t(($) => (of.dryRun ? $.checkOf : $.importOf), { name: fileName ?? of.id })}
      parent={parent}
      badge={
        <Badge color={statusColour[status]} variant="light" tt="none" fw={600}>
          {statusInWords(of)}
        </Badge>
      }
    >
      <Stack maw={960}>
        {isEnded ? <Ended of={of} /> : <Running of={of} />}
        <Facts of={facts} />
      </Stack>
    </Page>
  )
}

/** Other pages show records that the import has changed. */
function useRefresh(isEnded: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (isEnded) void client.invalidateQueries()
  }, [isEnded])
}

function Running({ of }: { of: Import }) {
  const stop = useChange(() => cancelImport(of.id))
  const ask = async () => {
    const isSure = await confirm({
      title: t(($) => $.confirmStop),
      text: t(($) => $.stopText),
      action: t(($) => $.stop),
      dismiss: t(($) => $.goOn),
    })
    if (isSure) stop.mutate(undefined, { onError: tellError })
  }
  return (
    <Step number={4} title={t(($) => $.running)}>
      <ImportProgress of={of} />
      <Text size="sm">{t(($) => $.mayLeave)}</Text>
      <Group>
        <BusyButton variant="default" isBusy={stop.isPending} onClick={() => void ask()}>
          {t(($) => $.stop)}
        </BusyButton>
      </Group>
    </Step>
  )
}

function Ended({ of }: { of: Import }) {
  const { records } = importKinds[of.kind]
  const hasWritten = !of.dryRun && writtenIn(of) > 0
  return (
    <Step title={titleOf(of)}>
      {of.error && <Text size="sm">{errorInWords(of.error)}</Text>}
      <Facts of={countsOf(of)} columns={3} />
      <Group>
        {hasWritten && (
          <Button component={Link} href={records.href}>
            {records.title}
          </Button>
        )}
        <Anchor component={Link} href={`/import?kind=${of.kind}`} size="sm">
          {t(($) => $.another)}
        </Anchor>
      </Group>
      <Faults of={of} />
    </Step>
  )
}

function titleOf(of: Import): string {
  if (of.status === "finished") return t(($) => (of.dryRun ? $.checkDone : $.done))
  if (of.error?.code === "CANCELLED") return t(($) => $.stopped)
  return t(($) => (writtenIn(of) === 0 ? $.nothing : $.failed))
}

const writtenIn = ({ counts: { created, updated } }: Import): number => created + updated

const outcomes = ["created", "updated", "unchanged", "invalid", "failed"] as const

/** The number of rows, and how many of them have had each outcome. An import that has failed tells if it wrote nothing. */
function countsOf({ kind, status, dryRun, counts }: Import) {
  const main = kind === "stock-counts" ? "updated" : "created"
  const isShown = (name: (typeof outcomes)[number]) =>
    counts[name] > 0 || (name === main && status === "failed" && !dryRun)
  return (["rows", ...outcomes.filter(isShown)] as const).map((name) => ({
    label: t(($) => $.count[name]),
    value: number(counts[name]),
  }))
}
