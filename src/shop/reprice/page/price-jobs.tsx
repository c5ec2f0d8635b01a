import { CloseButton, Group, Paper, Progress, Text, VisuallyHidden } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { t } from "../../items/texts"
import {
  CancelButton,
  hasEnded,
  isGone,
  JobResult,
  type PriceJob,
  usePriceJob,
  useWatchedJobs,
} from "./price-job"

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
          <JobResult job={job} />
          <CloseButton aria-label={t(($) => $.bulk.dismiss)} onClick={onDismiss} />
        </Group>
      ) : (
        <Running job={job} />
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

const Running = ({ job }: { job: PriceJob }) => (
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
