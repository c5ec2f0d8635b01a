import { Button } from "@mantine/core"
import { useState } from "react"
import { useMay, useMe } from "../../../console/api/hooks"
import { money } from "../../../console/format"
import { valuesFilter } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { t as common } from "../../../console/texts"
import { correctionRoles } from "../../../shared/rights"
import { columnsOf } from "../../../trade/page/columns"
import { dateFilter, pdfBulk } from "../../../trade/page/document-list"
import { sentColumn } from "../../../trade/page/mail/sent"
import { DueReminders } from "./due"
import { LevelsDialog } from "./levels"
import { t } from "./texts"

const columns = columnsOf(
  "reminders",
  [
    { key: "reminderNumber", title: common(($) => $.common.number) },
    "date",
    { key: "customerName", title: common(($) => $.fields.customer) },
    { key: "invoiceNumber", title: common(($) => $.fields.invoice) },
    { key: "level", as: "number" },
    { key: "balance", as: "money", title: t(($) => $.open) },
    { key: "fee", as: "money" },
    sentColumn,
  ],
  ["dueDate"],
)

/** The reminders, and the button that makes all that are due. */
export default function Reminders() {
  const { role } = useMe()
  const mayRemind = useMay()("invoices", "write") && correctionRoles.includes(role)
  const isAdmin = useMay()("administration", "admin")
  const [shown, setShown] = useState<"due" | "levels" | null>(null)
  const close = () => setShown(null)
  return (
    <>
      <RecordList
        kind="reminders"
        title={common(($) => $.kinds.reminders.title)}
        columns={columns}
        hrefOf={({ id }) => `/reminders/${id}`}
        phone={{
          title: "reminderNumber",
          amount: ({ balance, currency }) => money(balance, currency),
          line: ["customerName", "date", "level"],
        }}
        filters={[valuesFilter("reminders", "level"), dateFilter("date")]}
        nameOf={({ reminderNumber }) => reminderNumber}
        bulk={[pdfBulk("reminders")]}
        intro={t(($) => $.intro)}
        actions={
          <>
            {isAdmin && (
              <Button variant="default" onClick={() => setShown("levels")}>
                {t(($) => $.levelsButton)}
              </Button>
            )}
            {mayRemind && <Button onClick={() => setShown("due")}>{t(($) => $.dueNow)}</Button>}
          </>
        }
      />
      {shown === "due" && <DueReminders onClose={close} />}
      {shown === "levels" && <LevelsDialog onClose={close} />}
    </>
  )
}
