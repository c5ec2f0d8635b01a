import { List, Text } from "@mantine/core"
import type { Invoice } from "../../../console/api/types"
import { messageOf } from "../../../console/api/client"
import { number } from "../../../console/format"
import { patiently } from "../../../console/lists/patiently"
import { warningMessage } from "../../../console/texts/errors"
import { tryStatus } from "../../../trade/page/use-steps"
import { t } from "./texts"

/** The number of drafts that are tried before many are issued. */
export const mostChecked = 50
/** The number that is tried at a time. */
const atOnce = 5

type Remark = { draft: Invoice; messages: string[] }

/** Tries to issue drafts, and tells what is probably wrong with them. `count` is the number of all drafts to issue. */
export async function remarksBeforeIssue(rows: readonly Invoice[], count: number) {
  const drafts = rows.filter(({ status }) => status === "draft")
  const remarks: Remark[] = []
  for (let from = 0; from < drafts.length; from += atOnce)
    remarks.push(...(await Promise.all(drafts.slice(from, from + atOnce).map(remarkOn))))
  return <Remarks remarks={remarks} isPart={count > rows.length} />
}

async function remarkOn(draft: Invoice): Promise<Remark> {
  try {
    const tried = () => tryStatus("invoices", draft, { status: "unpaid" })
    const { warnings } = await patiently(tried, new AbortController().signal)
    return { draft, messages: warnings.map(warningMessage) }
  } catch (error) {
    return { draft, messages: [messageOf(error)] }
  }
}

function Remarks({ remarks, isPart }: { remarks: readonly Remark[]; isPart: boolean }) {
  const doubtful = remarks.filter(({ messages }) => messages.length > 0)
  const fine = remarks.length - doubtful.length
  return (
    <>
      {doubtful.length > 0 && (
        <Text size="sm" fw={600} mt="sm">
          {t(($) => $.beforeIssue.check)}
        </Text>
      )}
      <List size="sm" spacing={6} my="xs">
        {doubtful.map(({ draft: { id, customerName }, messages }) => (
          <List.Item key={id}>
            <b>{t(($) => $.draftFor, { customer: customerName })}</b>: {messages.join(" ")}
          </List.Item>
        ))}
      </List>
      <Text size="sm">{t(($) => $.beforeIssue.fine, { count: fine, shown: number(fine) })}</Text>
      {isPart && (
        <Text size="sm">{t(($) => $.beforeIssue.onlyFirst, { shown: number(remarks.length) })}</Text>
      )}
    </>
  )
}
