import { Alert, Anchor, Button, Group, List, Progress, Stack, Text, type MantineSize } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { Link } from "wouter"
import { number } from "../../../console/format"
import { jobErrorInWords } from "../../../console/parts/job-error"
import { tellError } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { t } from "../../items/texts"
import { hasEnded, stopReprice, useItemCodes, type PriceJob } from "./job"

/** The number of faults that are shown. */
const mostShown = 20

/** How far a job has come, and its result, in a dialog. */
export function PriceJobView({ job, onClose }: { job: PriceJob; onClose: () => void }) {
  const isDone = hasEnded(job)
  const close = useRef<HTMLButtonElement>(null)
  // The button that had the focus disappears when the job begins and when it ends.
  useEffect(() => close.current?.focus(), [isDone])
  return (
    <Stack>
      {isDone ? <JobResult job={job} /> : <Running job={job} />}
      <Group justify="flex-end">
        {!isDone && <CancelButton id={job.id} />}
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
export function CancelButton({ id, size }: { id: string; size?: MantineSize }) {
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

/** What a job has done, and what it could not do. */
export function JobResult({ job: { counts, error, faults, faultCount } }: { job: PriceJob }) {
  const { updated, unchanged } = counts
  return (
    <div role="status">
      {error && (
        <Alert color={error.code === "CANCELLED" ? "yellow" : "red"} mb="sm">
          {error.code === "CANCELLED" ? t(($) => $.bulk.stopped) : jobErrorInWords(error)}
        </Alert>
      )}
      <Text>{t(($) => $.bulk.updated, { count: updated, shown: number(updated) })}</Text>
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
