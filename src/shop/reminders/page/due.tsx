import { Alert, Anchor, Button, Card, Group, Modal, Paper, Stack, Table, Text } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { call } from "../../../console/api/client"
import { useMe } from "../../../console/api/hooks"
import type { Kinds } from "../../../console/api/types"
import { useAttempt } from "../../../console/forms/use-record-form"
import { date, money, number } from "../../../console/format"
import { useIsNarrow } from "../../../console/lists/use-rows"
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

type DueInvoice = RemindersDue["reminders"][number]

const levelOf = ({ level, fee }: DueInvoice, currency: string): string =>
  fee > 0 ? t(($) => $.withFee, { level, fee: money(fee, currency) }) : t(($) => $.level, { level })

type LookProps = { of: DueInvoice; onLook: () => void }

const LookButton = ({ of: { invoiceNumber }, onLook }: LookProps) => (
  <Anchor
    component="button"
    type="button"
    size="sm"
    aria-label={t(($) => $.lookAt, { number: invoiceNumber })}
    onClick={onLook}
  >
    {t(($) => $.look)}
  </Anchor>
)

/** An invoice that is due for a reminder, on a phone. */
function DueCard({ of: due, onLook }: LookProps) {
  const { currency } = useMe().company
  return (
    <Card withBorder p="sm">
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Anchor component={Link} href={`/invoices/${due.invoice}`} size="sm">
          {due.invoiceNumber}
        </Anchor>
        <Text size="sm" fw={600} className="figures">
          {t(($) => $.openAmount, { amount: money(due.balance, currency) })}
        </Text>
      </Group>
      <Text size="sm">{due.customerName}</Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {due.email ?? t(($) => $.noAddress)}
      </Text>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {`${t(($) => $.dueOn, { date: date(due.dueDate) })} · ${levelOf(due, currency)}`}
        </Text>
        <LookButton of={due} onLook={onLook} />
      </Group>
    </Card>
  )
}

function Due({ due }: { due: RemindersDue }) {
  const { currency } = useMe().company
  const isNarrow = useIsNarrow()
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
      {isNarrow ? (
        <Stack gap="xs">
          {reminders.map((each) => (
            <DueCard key={each.invoice} of={each} onLook={() => look(each.invoice)} />
          ))}
        </Stack>
      ) : (
        <Table.ScrollContainer minWidth={480} mah={420}>
          <Table aria-label={t(($) => $.dueTitle)}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t(($) => $.invoice)}</Table.Th>
                <Table.Th>{common(($) => $.fields.customer)}</Table.Th>
                <Table.Th>{common(($) => $.fields.dueDate)}</Table.Th>
                <Table.Th>{t(($) => $.reminder)}</Table.Th>
                <Table.Th ta="end">{t(($) => $.open)}</Table.Th>
                <Table.Td />
              </Table.Tr>
            </Table.Thead>
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
                  <Table.Td>{levelOf(each, currency)}</Table.Td>
                  <Table.Td className="figures" ta="end">
                    {money(each.balance, currency)}
                  </Table.Td>
                  <Table.Td ta="end">
                    <LookButton of={each} onLook={() => look(each.invoice)} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
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
