import { Alert, Button } from "@mantine/core"
import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { messageOf } from "../api/client"
import { ApiError } from "../api/send"
import { useHeld } from "../forms/unsaved"
import { t } from "../texts"
import { NotFound } from "./not-found"
import { Waiting } from "./page"

/** Shows the data of a query, or its loading or error state. */
export function Loaded<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
}) {
  // Somebody may delete a record while its page is open. A form with unsaved changes stays.
  const isMissing = useHeld(query.error instanceof ApiError && query.error.status === 404)
  if (isMissing) return <NotFound />
  if (query.data !== undefined) return children(query.data)
  if (query.error)
    return (
      <Alert color="red" role="alert" title={t(($) => $.parts.loadFailed)}>
        {messageOf(query.error)}
        <br />
        <Button size="xs" variant="default" mt="sm" onClick={() => query.refetch()}>
          {t(($) => $.common.tryAgain)}
        </Button>
      </Alert>
    )
  return <Waiting height={240} />
}
