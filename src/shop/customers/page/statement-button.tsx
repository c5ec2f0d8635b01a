import { Button, Group, Modal, SimpleGrid, Stack } from "@mantine/core"
import { useState } from "react"
import { call } from "../../../console/api/client"
import { useMay, useMe } from "../../../console/api/hooks"
import type { Kinds } from "../../../console/api/types"
import { isDay } from "../../../console/forms/day"
import { DayInput } from "../../../console/forms/day-input"
import { useAttempt } from "../../../console/forms/use-record-form"
import { BusyButton } from "../../../console/parts/busy-button"
import { confirm } from "../../../console/parts/confirm"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { IconArrowForwardUp, IconFileTypePdf } from "../../../console/parts/icons"
import { tellDone, tellError } from "../../../console/parts/tell"
import { useSavePaper } from "../../../trade/page/papers/pdf-button"
import { t } from "../texts"
import { beginning, type Period, statementPeriods } from "./statement-periods"

type Message = Kinds["messages"]
type Statement = { movements: readonly { date: string }[] }

/** The period with a first day: that of the first document, if it has none. */
async function withFirstDay(customer: string, { from, to }: Period): Promise<{ from: string; to: string }> {
  if (from !== null) return { from, to }
  const query = new URLSearchParams({ from: beginning, to })
  const { data } = await call<Statement>("GET", `/customers/${customer}/statement?${query}`)
  return { from: data.movements[0]?.date ?? to, to }
}

/** Sends a statement to the address that the customer has, after a question that names it. */
async function send(customer: string, period: Period): Promise<void> {
  const path = `/customers/${customer}/statement/send`
  try {
    const body = { period: await withFirstDay(customer, period) }
    const { data } = await call<Message>("POST", `${path}?dryRun=true`, { body })
    const to = data.to.join(", ")
    const action = t(($) => $.send)
    if (
      !(await confirm({ title: t(($) => $.confirmSend), text: t(($) => $.confirmSendText, { to }), action }))
    )
      return
    await call<Message>("POST", path, { body })
    tellDone(t(($) => $.statementSent, { to }))
  } catch (error) {
    tellError(error)
  }
}

/** The button that saves or sends the statement of a customer, of any period. */
export function StatementButton({ customer }: { customer: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFileTypePdf size={16} />}
        onClick={() => setOpen(true)}
      >
        {t(($) => $.statement)}
      </Button>
      {isOpen && <StatementDialog customer={customer} onClose={() => setOpen(false)} />}
    </>
  )
}

type Props = { customer: string; onClose: () => void }

function StatementDialog({ customer, onClose }: Props) {
  useRestoreFocus()
  const { today } = useMe().company
  const periods = statementPeriods(today)
  const [period, setPeriod] = useState<Period>(periods[0]?.period ?? { from: null, to: today })
  const maySend = useMay()("invoices", "write")
  const { save, isSaving } = useSavePaper()
  const { run, isSaving: isSending } = useAttempt()
  const preparing = useAttempt()
  const { from, to } = period
  const chosen = periods.find(({ period: usual }) => usual.from === from && usual.to === to)?.name
  const isReversed = from !== null && isDay(from) && isDay(to) && from > to
  const isWrong = isReversed || !isDay(to) || (from !== null && !isDay(from))
  const download = async () => {
    try {
      const query = new URLSearchParams({ format: "pdf", ...(await withFirstDay(customer, period)) })
      save(`/customers/${customer}/statement?${query}`)
    } catch (error) {
      tellError(error)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t(($) => $.statement)}>
      <Stack>
        <Group gap="xs" role="group" aria-label={t(($) => $.usualPeriods)}>
          {periods.map(({ name, period: usual }) => (
            <Button
              key={name}
              size="compact-sm"
              variant={name === chosen ? "light" : "default"}
              aria-pressed={name === chosen}
              onClick={() => setPeriod(usual)}
            >
              {t(($) => $.periods[name])}
            </Button>
          ))}
        </Group>
        <SimpleGrid cols={2}>
          <DayInput
            label={t(($) => $.from)}
            placeholder={t(($) => $.firstDocument)}
            clearable
            isPast
            value={from}
            onChange={(day) => setPeriod({ from: day || null, to })}
          />
          <DayInput
            label={t(($) => $.to)}
            value={to}
            error={isReversed && t(($) => $.isReversed)}
            onChange={(day) => day && setPeriod({ from, to: day })}
          />
        </SimpleGrid>
        <Group justify="flex-end">
          {maySend && (
            <BusyButton
              variant="default"
              leftSection={<IconArrowForwardUp size={16} />}
              disabled={isWrong}
              isBusy={isSending}
              onClick={() => void run(() => send(customer, period))}
            >
              {t(($) => $.sendStatement)}
            </BusyButton>
          )}
          <BusyButton
            leftSection={<IconFileTypePdf size={16} />}
            disabled={isWrong}
            isBusy={isSaving || preparing.isSaving}
            onClick={() => void preparing.run(download)}
          >
            {t(($) => $.savePdf)}
          </BusyButton>
        </Group>
      </Stack>
    </Modal>
  )
}
