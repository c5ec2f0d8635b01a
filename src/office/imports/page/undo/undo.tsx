import { Anchor, Group, Stack, Table, Text } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { Link } from "wouter"
import { call } from "../../../../console/api/client"
import { useChange } from "../../../../console/api/hooks"
import { number } from "../../../../console/format"
import { BusyButton } from "../../../../console/parts/busy-button"
import { confirm } from "../../../../console/parts/confirm"
import { Facts } from "../../../../console/parts/page"
import { jobErrorInWords } from "../../../jobs/page/ended"
import { tellError } from "../../../../console/parts/tell"
import { t as common } from "../../../../console/texts"
import { errorMessage } from "../../../../console/texts/errors"
import { newKey } from "../../../../console/forms/use-record-form"
import type { ShownJob } from "../../../jobs/model"
import { type Import, importKinds } from "../kinds"
import { t } from "./texts"

const often = 500

const isEnded = ({ status }: ShownJob): boolean => status === "finished" || status === "failed"

/** The job that undoes an import, read again and again until it has ended. */
const useUndoJob = (id: string | null) =>
  useQuery({
    queryKey: ["jobs", id],
    queryFn: async () => (await call<ShownJob>("GET", `/jobs/${encodeURIComponent(id ?? "")}`)).data,
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => (data && isEnded(data) ? false : often),
  })

/** A button that undoes an import, and what became of it. */
export function Undo({ of }: { of: Import }) {
  const client = useQueryClient()
  const { data: job } = useUndoJob(of.undoJob)
  const hasEnded = job !== undefined && isEnded(job)
  const begin = useChange(() => call("POST", `/imports/${of.id}/undo`, { idempotencyKey: newKey() }))
  useEffect(() => {
    if (hasEnded) void client.invalidateQueries()
  }, [hasEnded])
  const ask = async () => {
    const isSure = await confirm({
      title: t(($) => $.confirm),
      text: t(($) => $.text),
      action: t(($) => $.action),
    })
    if (isSure) begin.mutate(undefined, { onError: tellError })
  }
  const isRunning = begin.isPending || (of.undoJob !== null && !hasEnded)
  return (
    <Stack gap="xs">
      {job && <Undone of={of} job={job} />}
      {of.canUndo && (
        <Group>
          <BusyButton variant="default" isBusy={isRunning} onClick={() => void ask()}>
            {t(($) => (hasEnded ? $.rest : $.action))}
          </BusyButton>
        </Group>
      )}
    </Stack>
  )
}

const outcomes = ["deleted", "restored", "unchanged", "failed"] as const

/** What was undone, and the rows that stay. */
function Undone({ of: { kind }, job }: { of: Import; job: ShownJob }) {
  const ended = job.status === "finished" ? t(($) => $.done) : t(($) => $.failed)
  const counts = outcomes
    .filter((name) => (job.counts[name] ?? 0) > 0)
    .map((name) => ({ label: t(($) => $.count[name]), value: number(job.counts[name] ?? 0) }))
  return (
    <>
      <Text fw={600} role="status">
        {isEnded(job) ? ended : t(($) => $.running)}
      </Text>
      {job.error && <Text size="sm">{jobErrorInWords(job.error)}</Text>}
      <Facts of={counts} columns={3} />
      {job.faultCount > 0 && <KeptRows job={job} href={importKinds[kind].parent.href} />}
    </>
  )
}

/** The rows whose records stay, and why. */
const KeptRows = ({ job: { faults, faultCount }, href }: { job: ShownJob; href: string }) => (
  <div>
    <Text size="sm">{t(($) => $.kept)}</Text>
    <Table verticalSpacing={4} aria-label={t(($) => $.kept)}>
      <Table.Tbody>
        {faults.slice(0, mostKept).map((fault, i) => (
          <Table.Tr key={i}>
            <Table.Td>
              <Anchor component={Link} href={`${href}/${fault.record ?? ""}`} size="sm">
                {t(($) => $.row, { row: number(fault.row) })}
              </Anchor>
            </Table.Td>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{whyKept(fault)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
    {faultCount > mostKept && (
      <Text size="sm" c="dimmed">
        {common(($) => $.lists.shownOf, { shown: number(mostKept), total: number(faultCount) })}
      </Text>
    )}
  </div>
)

const mostKept = 100

const whyKept = ({ code = "", message }: ShownJob["faults"][number]): string =>
  code === "CHANGED" ? t(($) => $.changed) : errorMessage({ code, message })
