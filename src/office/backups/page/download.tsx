import { Alert, Button, Group, Progress as Bar, Stack, Text } from "@mantine/core"
import { IconDownload } from "../../../console/parts/icons"
import { useState } from "react"
import { callForBlob, messageOf, type Progress } from "../../../console/api/client"
import { ApiError, type Method } from "../../../console/api/send"
import { megabytes } from "../../../console/format"
import { useJob } from "../../../console/lists/use-job"
import { saveFile } from "../../../console/parts/save-file"
import { t } from "../../../console/texts"

type Props = {
  method: Method
  path: string
  /** The name of the file, if the server gives none. */
  name: string
  label: string
  /** What happens until the first bytes arrive. */
  preparing: string
  failed: string
  /** The server's message for 503 is about writes. This is what nearly always is the cause here. */
  busy: string
}

export const DownloadBackup = () => (
  <Download
    method="POST"
    path="/backups"
    name="kontor.db"
    label={t(($) => $.backups.download)}
    preparing={t(($) => $.backups.creating)}
    failed={t(($) => $.backups.failed)}
    busy={t(($) => $.backups.busy)}
  />
)

export const DownloadEverything = () => (
  <Download
    method="GET"
    path="/export.zip"
    name="kontor.zip"
    label={t(($) => $.backups.exportAll)}
    preparing={t(($) => $.backups.exporting)}
    failed={t(($) => $.backups.exportFailed)}
    busy={t(($) => $.backups.exportBusy)}
  />
)

type Outcome = { done: string } | { problem: string }

/** Requests a file from the server and saves it as a browser download. */
function useDownload({ method, path, name, busy }: Props) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { job, start } = useJob<{ progress: Progress | null }>()
  const download = () =>
    start(async (signal, show) => {
      setOutcome(null)
      show({ progress: null })
      try {
        const onProgress = (progress: Progress) => show({ progress })
        const { blob, name: given } = await callForBlob(method, path, { signal, onProgress })
        saveFile(blob, given ?? name)
        const size = megabytes(blob.size)
        setOutcome({ done: t(($) => $.backups.downloaded, { name: given ?? name, size }) })
      } catch (error) {
        const isBusy = error instanceof ApiError && error.status === 503
        if (!signal.aborted) setOutcome({ problem: isBusy ? busy : messageOf(error) })
      }
    })
  return { job, outcome, download }
}

function Download(props: Props) {
  const { job, outcome, download } = useDownload(props)
  return (
    <Stack gap="sm" align="start">
      <Group gap="sm">
        <Button leftSection={<IconDownload size={16} />} loading={job !== null} onClick={download}>
          {props.label}
        </Button>
        {job && (
          <Button variant="default" onClick={job.onStop}>
            {t(($) => $.lists.stop)}
          </Button>
        )}
      </Group>
      <Text size="sm" role="status">
        {job && (job.progress ? inWords(job.progress) : props.preparing)}
        {outcome && "done" in outcome && outcome.done}
      </Text>
      {job?.progress && <Share {...job.progress} />}
      {outcome && "problem" in outcome && (
        <Alert color="red" role="alert" title={props.failed} w="100%">
          {outcome.problem}
        </Alert>
      )}
    </Stack>
  )
}

/** How much of the file has arrived, if its size is known. */
const Share = ({ loaded, total }: Progress) =>
  total !== null && <Bar w="100%" value={(loaded / total) * 100} aria-label={t(($) => $.backups.progress)} />

const inWords = ({ loaded, total }: Progress): string =>
  total === null
    ? t(($) => $.backups.loading, { loaded: megabytes(loaded) })
    : t(($) => $.backups.loadingOf, { loaded: megabytes(loaded), total: megabytes(total) })
