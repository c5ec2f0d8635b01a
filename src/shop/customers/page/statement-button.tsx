import { Button, Menu } from "@mantine/core"
import { useRef } from "react"
import { call } from "../../../console/api/client"
import { useMay, useMe } from "../../../console/api/hooks"
import type { Kinds } from "../../../console/api/types"
import { useAttempt } from "../../../console/forms/use-record-form"
import { confirm } from "../../../console/parts/confirm"
import { tellDone, tellError } from "../../../console/parts/tell"
import { IconChevronDown, IconFileTypePdf } from "../../../console/parts/icons"
import { useSavePaper } from "../../../trade/page/papers/pdf-button"
import { t } from "../texts"

type Message = Kinds["messages"]
type Period = { from: string; to?: string }

/** Sends a statement to the address that the customer has, after a question that names it. */
async function send(customer: string, period: Period): Promise<void> {
  const path = `/customers/${customer}/statement/send`
  const body = { period }
  try {
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

/** The button that saves the statement of a customer: of this year, of the last one, or since the first document, or sends it. */
export function StatementButton({ customer }: { customer: string }) {
  const { save, isSaving } = useSavePaper()
  const target = useRef<HTMLButtonElement>(null)
  const year = Number(useMe().company.today.slice(0, 4))
  const maySend = useMay()("invoices", "write")
  const { run, isSaving: isSending } = useAttempt()
  const fromMenu = (act: () => void) => () => {
    // The entry disappears with the menu.
    target.current?.focus()
    act()
  }
  const periods = [
    { label: t(($) => $.statementOf, { year }), period: { from: `${year}-01-01` } },
    {
      label: t(($) => $.statementOf, { year: year - 1 }),
      period: { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` },
    },
    { label: t(($) => $.wholeStatement), period: { from: "1900-01-01" } },
  ]
  return (
    <Menu keepMounted={false}>
      <Menu.Target>
        <Button
          ref={target}
          variant="default"
          fullWidth
          loading={isSaving || isSending}
          leftSection={<IconFileTypePdf size={16} />}
          rightSection={<IconChevronDown size={16} />}
        >
          {t(($) => $.statement)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {periods.map(({ label, period }) => (
          <Menu.Item
            key={label}
            onClick={fromMenu(() =>
              save(
                `/customers/${customer}/statement?${new URLSearchParams({ format: "pdf", ...(period as Record<string, string>) })}`,
              ),
            )}
          >
            {label}
          </Menu.Item>
        ))}
        {maySend && (
          <>
            <Menu.Divider />
            <Menu.Label>{t(($) => $.sendStatement)}</Menu.Label>
            {periods.map(({ label, period }) => (
              <Menu.Item key={label} onClick={fromMenu(() => void run(() => send(customer, period)))}>
                {label}
              </Menu.Item>
            ))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
