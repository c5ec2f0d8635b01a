import { Button, Group, Progress, Text } from "@mantine/core"
import { number } from "../format"
import { t } from "../texts"
import { useEffect, useRef, useState } from "react"

/** Work on many records that the user waits for. */
export type Job = {
  /** What happens: "Delete". */
  label: string
  finished: number
  total: number
  onStop: () => void
}

/** Shows how far the work is, with a button that stops it. */
export const JobProgress = ({ label, finished, total, onStop }: Job) => (
  <Group gap="sm" wrap="nowrap">
    <Text size="sm" style={{ whiteSpace: "nowrap" }} role="status">
      {t(($) => $.lists.progress, { label, finished: number(finished), total: number(total) })}
    </Text>
    <Progress
      value={total > 0 ? (100 * finished) / total : 0}
      aria-label={label}
      flex={1}
      miw={40}
      transitionDuration={100}
    />
    <Button size="xs" variant="default" onClick={onStop}>
      {t(($) => $.lists.stop)}
    </Button>
  </Group>
)

/** Shows how far the work is. */
export type ShowProgress<P = Omit<Job, "onStop">> = (progress: P) => void

/** Long work, one at a time, with its progress. It stops when the user leaves the page. */
export function useJob<P extends object = Omit<Job, "onStop">>() {
  const [job, setJob] = useState<(P & { onStop: () => void }) | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async <R,>(work: (signal: AbortSignal, show: ShowProgress<P>) => Promise<R>): Promise<R> => {
    const controller = new AbortController()
    running.current = controller
    try {
      return await work(controller.signal, (progress) =>
        setJob({ ...progress, onStop: () => controller.abort() }),
      )
    } finally {
      setJob(null)
    }
  }
  return { job, start }
}
