import { termsOf } from "../../../trade/page/in-words"
import { Alert, Anchor, Group, List, SimpleGrid, Stack, Text } from "@mantine/core"
import { Link } from "wouter"
import { useMay, useRecord } from "../../../console/api/hooks"
import type { Invoice, Warning } from "../../../console/api/types"
import { date, money } from "../../../console/format"
import { IconAlertTriangle, IconCircleCheck } from "../../../console/parts/icons"
import { t as common } from "../../../console/texts"
import { warningMessage } from "../../../console/texts/errors"
import { t as eInvoiceTexts } from "../../../trade/page/papers/e-invoice-texts"
import {
  type Check,
  type CheckedDocument,
  type CheckedKind,
  usePlaces,
  Xrechnung,
} from "../../../trade/page/papers/e-invoice-panel"
import { MissingList } from "../../../trade/page/papers/missing-list"
import { Note } from "../../../trade/page/view/note"
import { addressLines, Entry } from "../../../trade/page/view/parties"
import { Figure } from "../../../trade/page/view/totals-box"
import { taxRateText } from "../../../trade/page/lines/tax-codes"
import { t as depositTexts } from "../deposits/page/texts"
import { t } from "./texts"

/** What an invoice will be, by a dry run of its issue. */
type Props = {
  invoice: Invoice
  warnings: readonly Warning[]
  check: Check | undefined
  /** What is checked: a draft, or the order that is invoiced. */
  of: { kind: CheckedKind; id: string }
  /** The page on which the invoice or its order is edited, for links to its fields. */
  document: CheckedDocument
  /** Why the credit limit does not allow it. */
  creditProblem?: string | null
  /** Leads to the due date, where the payment terms cannot be changed any more. */
  onDueDate?: () => void
}

/**
 * What an invoice will be when it gets its number: who gets it, how it is taxed, when it is due, its totals and its
 * e-invoice, and what is probably wrong, with links to where it is filled in.
 */
export const BeforeIssue = ({ invoice, warnings, check, of, document, creditProblem, onDueDate }: Props) => (
  <Stack gap="sm" role="group" aria-label={t(($) => $.beforeIssue.title)}>
    <Doubts
      invoice={invoice}
      warnings={warnings}
      creditProblem={creditProblem}
      {...{ document, onDueDate }}
    />
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Buyer invoice={invoice} />
      <Stack gap={2}>
        <Entry label={common(($) => $.fields.taxTreatment)}>
          {common(($) => $.values.taxTreatment[invoice.taxTreatment])}
        </Entry>
        <Entry label={common(($) => $.fields.invoiceDate)}>{date(invoice.invoiceDate)}</Entry>
        <Entry label={common(($) => $.fields.dueDate)}>{dueOf(invoice)}</Entry>
        <Credit invoice={invoice} />
      </Stack>
    </SimpleGrid>
    <Totals invoice={invoice} />
    {check && <EInvoice check={check} document={document} />}
    <Xrechnung
      {...of}
      document={{ ...document, seller: invoice.seller, buyerReference: invoice.buyerReference }}
    />
  </Stack>
)

const dueOf = ({ dueDate, paymentTerms }: Invoice): string =>
  paymentTerms === null
    ? date(dueDate)
    : t(($) => $.beforeIssue.due, { date: date(dueDate), terms: termsOf(paymentTerms) })

function Buyer({ invoice: { buyer, customerName } }: Pick<Props, "invoice">) {
  const lines = [
    ...(buyer?.contactName ? [t(($) => $.contact, { name: buyer.contactName })] : []),
    ...addressLines(buyer?.address),
    ...(buyer?.taxId ? [t(($) => $.taxId, { taxId: buyer.taxId })] : []),
  ]
  return (
    <div>
      <Text size="xs" c="dimmed">
        {t(($) => $.billedTo)}
      </Text>
      <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
        {buyer?.name ?? customerName}
      </Text>
      {lines.map((line) => (
        <Text key={line} size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
          {line}
        </Text>
      ))}
    </div>
  )
}

/** What is left of the credit limit. An order counts already, so its invoice changes nothing. */
function Credit({ invoice: { customer, salesOrder, total, currency } }: Pick<Props, "invoice">) {
  const { data } = useRecord("customers", useMay()("customers", "read") ? customer : null)
  if (!data?.creditLimit || data.creditAvailable === null) return null
  const left = data.creditAvailable - (salesOrder === null ? total : 0)
  const limit = money(data.creditLimit, currency)
  return (
    <>
      <Entry label={common(($) => $.fields.creditLimit)}>{limit}</Entry>
      {left < 0 ? (
        <Note>{t(($) => $.beforeIssue.creditOver, { amount: money(-left, currency) })}</Note>
      ) : (
        <Text size="xs" c="dimmed">
          {t(($) => $.beforeIssue.creditLeft, { amount: money(left, currency) })}
        </Text>
      )}
    </>
  )
}

const Totals = ({
  invoice: { subtotal, taxes, total, depositTotal, balance, currency },
}: Pick<Props, "invoice">) => (
  <div>
    <Figure label={common(($) => $.fields.subtotal)} value={money(subtotal, currency)} />
    {taxes.map(({ category, rate, tax }) => (
      <Figure
        key={`${category} ${rate}`}
        label={t(($) => $.beforeIssue.tax, { rate: taxRateText(category, rate) })}
        value={money(tax, currency)}
      />
    ))}
    <Figure label={common(($) => $.fields.total)} value={money(total, currency)} isStrong />
    {depositTotal > 0 && (
      <>
        <Figure label={depositTexts(($) => $.deducted)} value={money(-depositTotal, currency)} />
        <Figure label={common(($) => $.fields.balance)} value={money(balance, currency)} isStrong />
      </>
    )}
    {[...new Set(taxes.flatMap(({ reason }) => reason ?? []))].map((reason) => (
      <Text key={reason} size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {reason}
      </Text>
    ))}
  </div>
)

function EInvoice({ check, document }: { check: Check; document: CheckedDocument }) {
  const hrefOf = usePlaces(document)
  if (check.valid)
    return (
      <Group gap={6} wrap="nowrap">
        <IconCircleCheck
          size={18}
          color="var(--mantine-color-teal-6)"
          style={{ flexShrink: 0 }}
          aria-hidden
        />
        <Text size="sm">{eInvoiceTexts(($) => $.valid)}</Text>
      </Group>
    )
  return (
    <div>
      <Text size="sm" mb={4}>
        {eInvoiceTexts(($) => $.beforeIssue)}
      </Text>
      <MissingList missing={check.missing} lines={document.items} hrefOf={hrefOf} />
    </div>
  )
}

type DoubtsProps = Pick<Props, "invoice" | "warnings" | "document" | "creditProblem" | "onDueDate">

/** What is probably wrong. */
function Doubts({ warnings, creditProblem, ...rest }: DoubtsProps) {
  if (warnings.length === 0 && !creditProblem) return null
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={t(($) => $.beforeIssue.check)}
    >
      <List size="sm" spacing={6}>
        {creditProblem && <List.Item>{creditProblem}</List.Item>}
        {warnings.map((warning) => (
          <List.Item key={warning.message}>
            {warningMessage(warning)} <Mend warning={warning} {...rest} />
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

type MendProps = Pick<Props, "invoice" | "document" | "onDueDate"> & { warning: Warning }

/** The link to the field that mends a warning. */
function Mend({ warning: { code, params }, invoice, document, onDueDate }: MendProps) {
  const mayCustomers = useMay()("customers", "write")
  const customer = `/customers/${invoice.customer}?focus=`
  if (code === "BUYER_ADDRESS_MISSING" && mayCustomers)
    return (
      <Place
        href={`${customer}address.${(params as { missing: string[] }).missing[0] ?? "street"}`}
        text={t(($) => $.beforeIssue.addAddress)}
      />
    )
  if (code === "TREATMENT_UNLIKELY" && mayCustomers)
    return <Place href={`${customer}taxTreatment`} text={t(($) => $.beforeIssue.changeTreatment)} />
  if (code !== "TERMS_NOT_UNDERSTOOD") return null
  if (document.isEditable)
    return <Place href={`${document.path}?focus=paymentTerms`} text={t(($) => $.beforeIssue.changeTerms)} />
  return (
    onDueDate && (
      <Anchor component="button" type="button" inherit onClick={onDueDate}>
        {t(($) => $.beforeIssue.setDueDate)}
      </Anchor>
    )
  )
}

const Place = ({ href, text }: { href: string; text: string }) => (
  <Anchor component={Link} href={href} inherit underline="always" style={{ whiteSpace: "nowrap" }}>
    {text}
  </Anchor>
)
