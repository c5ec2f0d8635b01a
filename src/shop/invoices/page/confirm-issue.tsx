import { Text } from "@mantine/core"
import { call } from "../../../console/api/client"
import type { Invoice } from "../../../console/api/types"
import { checkPath, type Check } from "../../../trade/page/e-invoice-check"
import { MissingList } from "../../../trade/page/missing-list"
import { confirm } from "../../../console/parts/confirm"
import { t } from "../../../console/texts"

/** Asks before a saved draft is issued, and says what it lacks for a valid e-invoice: this is the last moment to add it. */
export async function confirmIssue(draft: Invoice): Promise<boolean> {
  const { data: check } = await call<Check>("GET", checkPath("invoices", draft.id))
  const answer = await confirm({
    title: t(($) => $.invoices.confirmIssue),
    text: (
      <>
        {t(($) => $.invoices.confirmIssueText)}
        {!check.valid && <Lacks draft={draft} check={check} />}
      </>
    ),
    action: t(($) => $.invoices.issue),
    isDangerous: false,
  })
  return answer !== null
}

const Lacks = ({ draft, check }: { draft: Invoice; check: Check }) => (
  <>
    <Text size="sm" my="xs">
      {t(($) => $.eInvoice.beforeIssue)}
    </Text>
    <MissingList missing={check.missing} lines={draft.items} />
  </>
)
