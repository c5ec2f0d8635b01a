import { Stack, Text } from "@mantine/core"
import type { MouseEvent } from "react"
import { call } from "../../../console/api/client"
import type { ApiAnswer, Invoice, Role } from "../../../console/api/types"
import { confirm, decline } from "../../../console/parts/confirm"
import { type Answer, creditProblemOf } from "../../../trade/page/draft/use-draft"
import { type Check, checkPath } from "../../../trade/page/papers/e-invoice-panel"
import { maySendTo, recipientOf } from "../../../trade/page/mail/recipient"
import { SendsTo } from "../../../trade/page/mail/sends-to"
import { t as mailTexts } from "../../../trade/page/mail/texts"
import { tryStatus } from "../../../trade/page/use-steps"
import { BeforeIssue } from "./before-issue"
import { t } from "./texts"

/** Shows what a saved draft will be as an invoice, by a dry run, and asks whether to issue it. */
export async function askBeforeIssue(draft: Invoice, role: Role): Promise<Answer> {
  const [{ answer, creditProblem }, { data: check }, recipient] = await Promise.all([
    tryIssue(draft, role),
    call<Check>("GET", checkPath("invoices", draft.id)),
    recipientOf(draft.customer),
  ])
  const { data: invoice, warnings } = answer
  const issueAndSend = mailTexts(($) => $.issueAndSend)
  const document = {
    path: `/invoices/${draft.id}`,
    isEditable: true,
    customer: draft.customer,
    items: draft.items,
  }
  let goTo: string | null = null
  const given = await confirm({
    title: t(($) => $.confirmIssue),
    size: "lg",
    text: (
      <Stack gap="sm" onClickCapture={(event) => leave(event, (href) => (goTo = href))}>
        <Text size="sm">{t(($) => $.confirmIssueText)}</Text>
        <BeforeIssue
          {...{ invoice, warnings, check, document, creditProblem }}
          of={{ kind: "invoices", id: draft.id }}
        />
        <SendsTo recipient={recipient} action={issueAndSend} customer={invoice.customerName} />
      </Stack>
    ),
    action: t(($) => (creditProblem === null ? $.issue : $.issueAnyway)),
    ...(maySendTo(recipient) && { alternative: issueAndSend }),
    isDangerous: creditProblem !== null,
  })
  if (goTo !== null) return { goTo }
  return (
    given && {
      known: warnings,
      ...(creditProblem === null ? {} : { override: true }),
      ...(given.isAlternative && { send: true }),
    }
  )
}

type Tried = { answer: ApiAnswer<Invoice>; creditProblem: string | null }

/** Tries to issue a draft. Users who may exceed the credit limit see what it would be nevertheless. */
async function tryIssue(draft: Invoice, role: Role): Promise<Tried> {
  try {
    return { answer: await tryStatus("invoices", draft, { status: "unpaid" }), creditProblem: null }
  } catch (error) {
    const creditProblem = creditProblemOf(error, "invoice", role)
    if (creditProblem === null) throw error
    return { answer: await tryStatus("invoices", draft, { status: "unpaid", override: true }), creditProblem }
  }
}

/** A link in the question closes it, and the draft is kept, before the other page opens. */
function leave(event: MouseEvent, go: (href: string) => void): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null
  const href = link?.getAttribute("href")
  if (!href || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  event.stopPropagation()
  // It contains the path of the console.
  go(`~${href}`)
  decline()
}
