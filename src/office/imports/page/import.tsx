import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core"
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query"
import { useEffect } from "react"
import { Link } from "wouter"
import { useChange } from "../../../console/api/hooks"
import { moment, number } from "../../../console/format"
import { BusyButton } from "../../../console/parts/busy-button"
import { confirm } from "../../../console/parts/confirm"
import { Facts, Loaded, OnlyFor, Page } from "../../../console/parts/page"
import { tellError } from "../../../console/parts/tell"
import { t } from "./texts"
import { errorInWords, Faults, Warnings } from "./found/faults"
import { type Import, importKinds } from "./kinds"
import { ImportProgress } from "./progress"
import { colourOf, skippedInWords, statusInWords } from "./status"
import { t as undo } from "./undo/texts"
import { Undo } from "./undo/undo"
import { Step } from "./step"
import { millisOf } from "../../../shared/dates"
import { call } from "../../../console/api/client"
import { clock } from "../../../console/clock"

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
  const { kind, fileName, createdAt, mode, undoneAt, undoneBy } = of
  const isEnded = hasEnded(of)
  useRefresh(isEnded)
  const facts = [
    { label: t(($) => $.data), value: importKinds[kind].title },
    { label: t(($) => $.file), value: fileName },
    { label: t(($) => $.started), value: moment(createdAt) },
    ...(undoneAt === null
      ? []
      : [{ label: undo(($) => $.undone), value: undoneInWords(undoneAt, undoneBy) }]),
    ...(importKinds[kind].hasModes ? [{ label: t(($) => $.modeTitle), value: t(($) => $.mode[mode]) }] : []),
  ]
  return (
    <Page
      title={t(($) => (of.dryRun ? $.checkOf : $.importOf), { name: fileName ?? of.id })}
      parent={parent}
      badge={
        <Badge color={colourOf(of)} variant="light" tt="none" fw={600}>
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

const undoneInWords = (at: string, by: string | null): string =>
  by === null ? moment(at) : undo(($) => $.undoneBy, { time: moment(at), name: by })

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
      {of.skippedRows.length > 0 && <Text size="sm">{skippedInWords(of.skippedRows)}</Text>}
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
      <Warnings of={of} />
      {!of.dryRun && <Undo of={of} />}
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

/** How often a running import is read, in ms: often at first, because most are short. */
const [often, seldom] = [500, 2_000]
const shortTime = 10_000

export const hasEnded = ({ status }: Pick<Import, "status">): boolean =>
  status === "finished" || status === "failed"

function pause({ createdAt }: Import): number {
  return clock.business() - millisOf(createdAt) < shortTime ? often : seldom
}

/** Reads an import again and again until it has ended. */
export const useImport = (id: string | null): UseQueryResult<Import> =>
  useQuery({
    queryKey: ["imports", id],
    queryFn: async () => (await call<Import>("GET", `/imports/${encodeURIComponent(id ?? "")}`)).data,
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : data ? pause(data) : often),
  })

/** Stops an import. Rows that it has written stay. */
export const cancelImport = (id: string) => call<Import>("POST", `/imports/${id}/cancel`)
