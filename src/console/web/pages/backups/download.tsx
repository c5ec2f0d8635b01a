import { Alert, Button, Progress as Bar, Stack, Text } from "@mantine/core"
import { IconDownload } from "@tabler/icons-react"
import { useState } from "react"
import { callForBlob, messageOf, type Progress } from "../../api/client"
import { ApiError } from "../../api/send"
import { number } from "../../format"
import { saveFile } from "../../parts/save-file"
import { t } from "../../texts"

type State =
  | { step: "idle" }
  | { step: "creating" }
  | { step: "loading"; progress: Progress }
  | { step: "done"; name: string; size: number }
  | { step: "failed"; message: string }

/** Requests a backup from the server and saves it as a browser download. */
export function DownloadBackup() {
  const [state, setState] = useState<State>({ step: "idle" })
  const isBusy = state.step === "creating" || state.step === "loading"
  const download = async () => {
    setState({ step: "creating" })
    try {
      const { blob, name } = await callForBlob("POST", "/backups", {
        onProgress: (progress) => setState({ step: "loading", progress }),
      })
      const file = name ?? "kontor.db"
      saveFile(blob, file)
      setState({ step: "done", name: file, size: blob.size })
    } catch (error) {
      setState({ step: "failed", message: messageOfError(error) })
    }
  }
  return (
    <Stack gap="sm" align="start">
      <Button leftSection={<IconDownload size={16} />} loading={isBusy} onClick={download}>
        {t(($) => $.backups.download)}
      </Button>
      <Text size="sm" role="status">
        {inWords(state)}
      </Text>
      {state.step === "loading" && state.progress.total !== null && (
        <Bar
          w="100%"
          value={(state.progress.loaded / state.progress.total) * 100}
          aria-label={t(($) => $.backups.progress)}
        />
      )}
      {state.step === "failed" && (
        <Alert color="red" role="alert" title={t(($) => $.backups.failed)} w="100%">
          {state.message}
        </Alert>
      )}
    </Stack>
  )
}

function inWords(state: State): string {
  if (state.step === "creating") return t(($) => $.backups.creating)
  if (state.step === "done")
    return t(($) => $.backups.downloaded, { name: state.name, size: megabytes(state.size) })
  if (state.step !== "loading") return ""
  const { total } = state.progress
  const loaded = megabytes(state.progress.loaded)
  return total === null
    ? t(($) => $.backups.loading, { loaded })
    : t(($) => $.backups.loadingOf, { loaded, total: megabytes(total) })
}

/** The server's message for 503 is about writes. Here the cause is nearly always another running backup. */
const messageOfError = (error: unknown): string =>
  error instanceof ApiError && error.status === 503 ? t(($) => $.backups.busy) : messageOf(error)

const megabytes = (bytes: number): string => `${number(Math.max(0.1, Math.round(bytes / 100_000) / 10))} MB`
