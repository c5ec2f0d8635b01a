import { Alert, Paper } from "@mantine/core"
import { IconPlugConnectedX } from "../parts/icons"
import { useQueryClient, type QueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useSyncExternalStore } from "react"
import { useIsSilent, watchServer } from "../api/reach"
import { clockTime } from "../format"
import { t } from "../texts"

/** A banner while the server does not respond: the page shows old data then. Reads the data again afterwards. */
export function Silence() {
  const isSilent = useIsSilent()
  const client = useQueryClient()
  const wasSilent = useRef(false)
  useEffect(watchServer, [])
  useEffect(() => {
    if (wasSilent.current && !isSilent) void client.invalidateQueries()
    wasSilent.current = isSilent
  }, [isSilent, client])
  return isSilent && <Banner client={client} />
}

function Banner({ client }: { client: QueryClient }) {
  const cache = client.getQueryCache()
  const readAt = useSyncExternalStore(
    (tell) => cache.subscribe(tell),
    () => oldestDataOf(client),
  )
  return (
    <Paper className="silence no-print" shadow="sm" mb="md">
      <Alert color="orange" role="alert" icon={<IconPlugConnectedX />}>
        {readAt === null
          ? t(($) => $.shell.silent)
          : t(($) => $.shell.silentSince, { time: clockTime(readAt) })}{" "}
        {t(($) => $.shell.cannotSave)}
      </Alert>
    </Paper>
  )
}

/** When the oldest data on the page was read, in ms. The signed-in user is not data of the page. */
function oldestDataOf(client: QueryClient): number | null {
  const times = client
    .getQueryCache()
    .findAll({ type: "active", predicate: ({ queryKey }) => queryKey[0] !== "me" })
    .map(({ state }) => state.dataUpdatedAt)
    .filter((time) => time > 0)
  return times.length === 0 ? null : Math.min(...times)
}
