import { Anchor, Group, Text } from "@mantine/core"
import { Link, useLocation } from "wouter"
import { call } from "../../../console/api/client"
import { useMay, useMe, useRead } from "../../../console/api/hooks"
import { ApiError } from "../../../console/api/send"
import type { Invoice, Kinds } from "../../../console/api/types"
import { useAttempt } from "../../../console/forms/use-record-form"
import { date, money } from "../../../console/format"
import { confirm } from "../../../console/parts/confirm"
import type { MoreAction } from "../../../console/parts/more-menu"
import { Panel } from "../../../console/parts/page"
import { tellDone, tellError } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { correctionRoles } from "../../../shared/rights"
import { t } from "./texts"

type Reminder = Kinds["reminders"]

/** The action that makes the next reminder of an overdue invoice, and shows it. Before its time the person is asked. */
export function useRemind(invoice: Invoice): { action: MoreAction | false; isBusy: boolean } {
  const { role } = useMe()
  const may = useMay()
  const [, navigate] = useLocation()
  const { run, isSaving } = useAttempt()
  const make = async (override: boolean) => {
    const { data } = await call<Reminder>("POST", `/invoices/${invoice.id}/reminders`, { body: { override } })
    tellDone(t(($) => $.wasCreated, { number: data.reminderNumber }))
    navigate(`/reminders/${data.id}`)
  }
  const remind = () =>
    run(async () => {
      try {
        await make(false).catch(async (error) => {
          const question = questionOf(error)
          if (question === null) throw error
          if (await confirm(question)) await make(true)
        })
      } catch (error) {
        tellError(error)
      }
    })
  const isOffered = invoice.isOverdue && may("invoices", "write") && correctionRoles.includes(role)
  return {
    action: isOffered && { label: t(($) => $.remind), onClick: () => void remind() },
    isBusy: isSaving,
  }
}

/** The question before a reminder is made that is not due, or null if it cannot be made. */
function questionOf(error: unknown) {
  if (!(error instanceof ApiError) || error.code !== "REMINDER_NOT_DUE") return null
  const { reason, dueOn, number: of } = error.params as Record<string, string | null>
  const action = t(($) => $.remindNow)
  const number = of ?? ""
  if (reason === "EARLY")
    return {
      title: t(($) => $.askEarly),
      text: t(($) => $.early, { number, date: date(dueOn ?? "") }),
      action,
    }
  if (reason === "PAUSED")
    return { title: t(($) => $.askPaused), text: t(($) => $.paused, { number }), action }
  return null
}

/** The reminders of an invoice, if there are any. */
export function InvoiceReminders({ invoice: { id, issuedAt } }: { invoice: Invoice }) {
  const { data = [] } = useRead<Reminder[]>(
    `/reminders?invoice=${id}&sort=createdAt&fields=id,reminderNumber,date,level,fee,currency`,
    issuedAt !== null,
  )
  if (data.length === 0) return null
  return (
    <Panel title={common(($) => $.kinds.reminders.title)}>
      {data.map(({ id: reminder, reminderNumber, date: day, level, fee, currency }) => (
        <Group key={reminder} justify="space-between" wrap="nowrap" gap="xs">
          <Anchor component={Link} href={`/reminders/${reminder}`} size="sm">
            {reminderNumber}
          </Anchor>
          <Text size="sm">
            {date(day)},{" "}
            {fee > 0
              ? t(($) => $.withFee, { level, fee: money(fee, currency) })
              : t(($) => $.level, { level })}
          </Text>
        </Group>
      ))}
    </Panel>
  )
}
