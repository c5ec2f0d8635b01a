import {
  Alert,
  Anchor,
  Button,
  Group,
  List,
  type MantineSize,
  Progress,
  Stack,
  Text,
  CloseButton,
  Paper,
  VisuallyHidden,
} from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState, useSyncExternalStore } from "react"
import { Link } from "wouter"
import { number } from "../../../console/format"
import { jobErrorInWords, type JobFailure } from "../../../office/jobs/page/ended"
import { tellError } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { t } from "../../items/texts"
import { call } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import { useMe } from "../../../console/api/hooks"

/** The number of faults that are shown. */
const mostShown = 20

/** How far a job has come, and its result, in a dialog. */
export function PriceJobView({ job, onClose }: { job: PriceJob; onClose: () => void }) {
  const isDone = hasEnded(job)
  const isUndo = useIsUndo(job)
  const close = useRef<HTMLButtonElement>(null)
  // The button that had the focus disappears when the job begins and when it ends.
  useEffect(() => close.current?.focus(), [isDone])
  return (
    <Stack>
      {isDone ? <JobResult job={job} isUndo={isUndo} /> : <Running job={job} />}
      <Group justify="flex-end">
        {!isDone && <CancelButton id={job.id} />}
        {isDone && !isUndo && <UndoButton job={job} onUndone={onClose} />}
        <Button ref={close} onClick={onClose}>
          {common(($) => $.common.close)}
        </Button>
      </Group>
    </Stack>
  )
}

const Running = ({ job }: { job: PriceJob }) => (
  <>
    <Text size="sm" role="status">
      {t(($) => $.bulk.running)} {t(($) => $.bulk.goesOn)}
    </Text>
    <Progress value={job.progress} aria-label={t(($) => $.bulk.running)} size="lg" />
  </>
)

/** Stops a job. */
function CancelButton({ id, size }: { id: string; size?: MantineSize }) {
  const client = useQueryClient()
  const cancel = () =>
    stopReprice(id)
      .catch(tellError)
      .finally(() => client.invalidateQueries({ queryKey: ["jobs", id] }))
  return (
    <Button size={size} variant="default" onClick={() => void cancel()}>
      {t(($) => $.bulk.cancel)}
    </Button>
  )
}

/** Gives the items of a job the prices back that they had before. The list shows how far that is. */
function UndoButton({ job, size, onUndone }: { job: PriceJob; size?: MantineSize; onUndone?: () => void }) {
  const { watch, forget } = useWatchedJobs()
  const [isBusy, setBusy] = useState(false)
  if (job.counts.updated === 0) return null
  const undo = async () => {
    setBusy(true)
    try {
      const { data } = await call<PriceJob>("POST", `/items/reprice/${job.id}/undo`)
      watch(data.id, { isUndo: true })
      forget(job.id)
      onUndone?.()
    } catch (error) {
      tellError(error)
      setBusy(false)
    }
  }
  return (
    <Button size={size} variant="default" loading={isBusy} onClick={() => void undo()}>
      {common(($) => $.lists.undo)}
    </Button>
  )
}

/** What a job has done, and what it could not do. */
function JobResult({ job, isUndo }: { job: PriceJob; isUndo: boolean }) {
  const { counts, error, faults, faultCount } = job
  const { updated, unchanged } = counts
  const shown = { count: updated, shown: number(updated) }
  return (
    <div role="status">
      {error && (
        <Alert color={error.code === "CANCELLED" ? "yellow" : "red"} mb="sm">
          {error.code === "CANCELLED" ? t(($) => $.bulk.stopped) : jobErrorInWords(error)}
        </Alert>
      )}
      <Text>{isUndo ? t(($) => $.bulk.takenBack, shown) : t(($) => $.bulk.updated, shown)}</Text>
      {unchanged > 0 && (
        <Text>{t(($) => $.bulk.unchanged, { count: unchanged, shown: number(unchanged) })}</Text>
      )}
      {faultCount > 0 && (
        <>
          <Text>{t(($) => $.bulk.failed, { count: faultCount, shown: number(faultCount) })}</Text>
          <Faults faults={faults.slice(0, mostShown)} />
          {faultCount > mostShown && (
            <Text size="sm">{t(($) => $.bulk.moreFailed, { shown: number(faultCount - mostShown) })}</Text>
          )}
        </>
      )}
    </div>
  )
}

function Faults({ faults }: Pick<PriceJob, "faults">) {
  const { data: codes } = useItemCodes(faults.map(({ record = "" }) => record))
  return (
    <List size="sm">
      {faults.map(({ record = "", code = "", message }) => (
        <List.Item key={record}>
          {codes?.has(record) && (
            <>
              <Anchor component={Link} href={`/items/${record}`} size="sm">
                {codes.get(record)}
              </Anchor>
              {": "}
            </>
          )}
          {isKnown(code) ? t(($) => $.bulk.fault[code]) : message}
        </List.Item>
      ))}
    </List>
  )
}

const faultCodes = ["NEGATIVE", "TOO_LARGE", "CHANGED", "NOT_FOUND"] as const

const isKnown = (code: string): code is (typeof faultCodes)[number] =>
  (faultCodes as readonly string[]).includes(code)

/** A change of prices that runs on the server. */
type PriceJob = {
  id: string
  status: "queued" | "checking" | "applying" | "finished" | "failed"
  progress: number
  counts: Record<"matched" | "updated" | "unchanged" | "failed", number>
  faults: { record?: string; code?: string; message: string }[]
  faultCount: number
  error: JobFailure | null
}

/** Starts a job. */
export const startReprice = async (body: object): Promise<string> =>
  (await call<PriceJob>("POST", "/items/reprice", { body })).data.id

export const hasEnded = ({ status }: Pick<PriceJob, "status">): boolean =>
  status === "finished" || status === "failed"

const pause = 500

/** True if a job does not exist any more, or if the user has lost the right to see it. */
const isGone = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.status)

/** Reads a job again and again until it has ended. */
export const usePriceJob = (id: string | null) =>
  useQuery({
    queryKey: ["jobs", id],
    queryFn: async () => (await call<PriceJob>("GET", `/jobs/${id ?? ""}`)).data,
    enabled: id !== null,
    refetchInterval: ({ state: { data, error } }) =>
      (data && hasEnded(data)) || isGone(error) ? false : pause,
  })

/** Stops a job. Prices that it has changed stay. */
const stopReprice = (id: string) => call("POST", `/jobs/${id}/cancel`)

/** The codes of items by their ids. Those that were deleted have none. */
const useItemCodes = (ids: readonly string[]) =>
  useQuery({
    queryKey: ["items", "codes", ids],
    queryFn: async () => {
      const path = `/items?fields=id,itemCode&perPage=100&id%5Bin%5D=${ids.join(",")}`
      const { data } = await call<{ id: string; itemCode: string }[]>("GET", path)
      return new Map(data.map(({ id, itemCode }) => [id, itemCode]))
    },
    enabled: ids.length > 0,
  })

/** Each user of a tab has their own jobs. */
const keyOf = (user: string) => `kontor.price-jobs.${user}`

const listeners = new Set<() => void>()

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

const idsIn = (text: string | null): string[] => (text ? text.split(" ") : [])

function change(user: string, changed: (ids: string[]) => string[]): void {
  const key = keyOf(user)
  sessionStorage.setItem(key, changed(idsIn(sessionStorage.getItem(key))).join(" "))
  for (const tell of listeners) tell()
}

/** What stands before the id of a job that takes another one back. */
const undoMark = "undo:"

/**
 * The jobs that the user has started in this tab and whose results are not dismissed yet. The session storage keeps
 * their ids, so that they are shown after a reload too.
 */
export function useWatchedJobs() {
  const { id: user } = useMe()
  const text = useSyncExternalStore(subscribe, () => sessionStorage.getItem(keyOf(user)))
  const marked = idsIn(text)
  return {
    ids: marked.map((id) => id.replace(undoMark, "")),
    isUndo: (id: string) => marked.includes(undoMark + id),
    watch: (id: string, { isUndo = false } = {}) =>
      change(user, (ids) => [...ids, isUndo ? undoMark + id : id]),
    forget: (id: string) => change(user, (ids) => ids.filter((each) => each.replace(undoMark, "") !== id)),
  }
}

const useIsUndo = ({ id }: Pick<PriceJob, "id">): boolean => useWatchedJobs().isUndo(id)

/** The price changes of the user that run in the background, and the results of those that have ended. */
export function PriceJobs({ inDialog }: { inDialog: string | null }) {
  const { ids, forget } = useWatchedJobs()
  return ids.map((id) => (
    <JobBar key={id} id={id} isInDialog={id === inDialog} onDismiss={() => forget(id)} />
  ))
}

type BarProps = {
  id: string
  /** True while the dialog shows the job, so that the page need not. */
  isInDialog: boolean
  onDismiss: () => void
}

function JobBar({ id, isInDialog, onDismiss }: BarProps) {
  const { data: job, error } = usePriceJob(id)
  const isUndo = useIsUndo({ id })
  useReloadAfter(job)
  const isLost = isGone(error)
  useEffect(() => {
    if (isLost) onDismiss()
  }, [isLost])
  if (!job || isInDialog) return null
  return (
    <Paper withBorder p="xs" mb="sm" role="region" aria-label={t(($) => $.bulk.priceTitle)}>
      {hasEnded(job) ? (
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <JobResult job={job} isUndo={isUndo} />
          <Group gap="xs" wrap="nowrap">
            {!isUndo && <UndoButton job={job} size="xs" />}
            <CloseButton aria-label={t(($) => $.bulk.dismiss)} onClick={onDismiss} />
          </Group>
        </Group>
      ) : (
        <RunningBar job={job} />
      )}
    </Paper>
  )
}

/** Reads the list again after the end of a job. */
function useReloadAfter(job: PriceJob | undefined): void {
  const client = useQueryClient()
  const isDone = job !== undefined && hasEnded(job)
  useEffect(() => {
    if (isDone) void client.invalidateQueries()
  }, [isDone])
}

/** A screen reader is told the progress in steps of this many percent, and not each time it changes. */
const announced = 25

const RunningBar = ({ job }: { job: PriceJob }) => (
  <Group gap="sm">
    <Text size="sm" aria-hidden>
      {inWords(job.progress)}
    </Text>
    <VisuallyHidden role="status">{inWords(Math.floor(job.progress / announced) * announced)}</VisuallyHidden>
    <Progress value={job.progress} aria-label={t(($) => $.bulk.priceTitle)} flex={1} miw={40} />
    <CancelButton id={job.id} size="xs" />
  </Group>
)

const inWords = (percent: number): string => t(($) => $.bulk.runningAt, { percent })
