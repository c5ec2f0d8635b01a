import { Alert, Anchor, Button, Group, Modal, Paper, Stack, Table, Text } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { call } from "../../../console/api/client"
import { useMe } from "../../../console/api/hooks"
import type { Kinds } from "../../../console/api/types"
import { useAttempt } from "../../../console/forms/use-record-form"
import { date, money, number } from "../../../console/format"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { tellError } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import type { RemindersDue } from "../model"
import { t } from "./texts"

type Job = {
  id: string
  counts: Record<"due" | "created" | "sent" | "failed", number>
  faults: { message: string }[]
  error: { message: string } | null
  finishedAt: string | null
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** What is due for a reminder, and the buttons that make and send it. */
export function DueReminders({ onClose }: { onClose: () => void }) {
  useRestoreFocus()
  const due = useQuery({
    queryKey: ["reminders", "due"],
    queryFn: async () =>
      (await call<RemindersDue>("POST", "/reminders/run", { body: { dryRun: true } })).data,
  })
  const [done, setDone] = useState<Job | null>(null)
  const { run, isSaving } = useAttempt()
  const client = useQueryClient()
  const begin = (send: boolean) =>
    void run(async () => {
      try {
        const { data } = await call<Job>("POST", "/reminders/run", { body: { send } })
        setDone(await ended(data))
        await client.invalidateQueries()
      } catch (error) {
        tellError(error)
      }
    })
  return (
    <Modal opened onClose={onClose} title={t(($) => $.dueTitle)} size="xl">
      <Stack>
        {done ? <Result job={done} /> : due.data && <Due due={due.data} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common(($) => $.common.close)}
          </Button>
          {!done && due.data && due.data.invoices > 0 && (
            <>
              <Button variant="light" loading={isSaving} onClick={() => begin(false)}>
                {t(($) => $.create)}
              </Button>
              <Button loading={isSaving} data-autofocus onClick={() => begin(true)}>
                {t(($) => $.createAndSend)}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

/** Waits until a job has ended. */
async function ended(started: Job): Promise<Job> {
  let job = started
  while (job.finishedAt === null) {
    await pause(300)
    job = (await call<Job>("GET", `/jobs/${job.id}`)).data
  }
  return job
}

type Letter = Pick<Kinds["reminders"], "invoice" | "subject" | "message">

/** What the next reminder of an invoice would say. Nothing is stored. */
async function letterOf(invoice: string): Promise<Letter> {
  return (await call<Letter>("POST", `/invoices/${invoice}/reminders?dryRun=true`)).data
}

const LetterText = ({ letter: { subject, message } }: { letter: Letter }) => (
  <Paper withBorder p="md" component="section" aria-label={t(($) => $.text)}>
    <Text fw={600} size="sm" mb="xs">
      {subject}
    </Text>
    <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
      {message}
    </Text>
  </Paper>
)

function Due({ due }: { due: RemindersDue }) {
  const { currency } = useMe().company
  const [letter, setLetter] = useState<Letter | null>(null)
  const look = (invoice: string) => void letterOf(invoice).then(setLetter, tellError)
  const { invoices, customers, balance, reminders } = due
  if (invoices === 0) return <Text>{t(($) => $.noneDue)}</Text>
  return (
    <>
      <Text role="status">
        {t(($) => $.due, {
          count: invoices,
          shown: number(invoices),
          customers: t(($) => $.customers, { count: customers, shown: number(customers) }),
          amount: money(balance, currency),
        })}{" "}
        {reminders.length < invoices && t(($) => $.first, { shown: number(reminders.length) })}
      </Text>
      <Table.ScrollContainer minWidth={480} mah={420}>
        <Table aria-label={t(($) => $.dueTitle)}>
          <Table.Tbody>
            {reminders.map((each) => (
              <Table.Tr key={each.invoice}>
                <Table.Td>
                  <Anchor component={Link} href={`/invoices/${each.invoice}`} size="sm">
                    {each.invoiceNumber}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  {each.customerName}
                  <Text size="xs" c="dimmed">
                    {each.email ?? t(($) => $.noAddress)}
                  </Text>
                </Table.Td>
                <Table.Td>{date(each.dueDate)}</Table.Td>
                <Table.Td>
                  {each.fee > 0
                    ? t(($) => $.withFee, { level: each.level, fee: money(each.fee, currency) })
                    : t(($) => $.level, { level: each.level })}
                </Table.Td>
                <Table.Td className="figures" ta="end">
                  {money(each.balance, currency)}
                </Table.Td>
                <Table.Td ta="end">
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    aria-label={t(($) => $.lookAt, { number: each.invoiceNumber })}
                    onClick={() => look(each.invoice)}
                  >
                    {t(($) => $.look)}
                  </Anchor>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {letter && <LetterText letter={letter} />}
    </>
  )
}

/** What a run has made, and what it could not make. */
function Result({ job: { counts, faults, error } }: { job: Job }) {
  const { created, sent, failed } = counts
  return (
    <div role="status">
      {error && <Alert color="red">{error.message}</Alert>}
      <Text>{t(($) => $.made, { count: created, shown: number(created) })}</Text>
      {sent > 0 && <Text>{t(($) => $.sent, { count: sent, shown: number(sent) })}</Text>}
      {failed > 0 && (
        <Text>
          {t(($) => $.failed, { count: failed, shown: number(failed), reason: faults[0]?.message ?? "" })}
        </Text>
      )}
    </div>
  )
}
