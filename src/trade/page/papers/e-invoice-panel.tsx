import { Collapse, Group, Paper, Stack, Text, UnstyledButton } from "@mantine/core"
import { IconChevronDown, IconChevronRight, IconCircleCheck } from "../../../console/parts/icons"
import { type ReactNode, useId, useState } from "react"
import { useMay, useRead, useRecord } from "../../../console/api/hooks"
import { number } from "../../../console/format"
import { t } from "./e-invoice-texts"
import { MissingList, lineIndexOf, type Missing } from "./missing-list"
import { useLacksTaxCodes } from "../lines/tax-codes"

type Props = {
  kind: CheckedKind
  id: string
  isIssued: boolean
  document: CheckedDocument & Origin
  /** What to do about an issued document that is not a valid e-invoice. */
  advice?: string
}

/** Says whether a document is a valid e-invoice, or lists what is missing. */
export function EInvoicePanel({ kind, id, isIssued, document, advice }: Props) {
  const check = useCheck(kind, id, "en16931")
  if (!check) return null
  return (
    <Paper withBorder p="md" component="section" aria-label={t(($) => $.title)}>
      <Stack gap="xs">
        {check.valid ? (
          <Valid text={t(($) => $.valid)} />
        ) : (
          <Disclosure title={titleOf(check, isIssued)} isOpenAtFirst>
            <Lacks check={check} document={document} />
            {advice && (
              <Text size="sm" c="dimmed">
                {advice}
              </Text>
            )}
          </Disclosure>
        )}
        <Xrechnung kind={kind} id={id} document={document} />
      </Stack>
    </Paper>
  )
}

/**
 * Whether the document is valid by the further rules of XRechnung, if the customer wants it: then it has a reference, the
 * Leitweg-ID. A draft without one gets that of its customer.
 */
export function Xrechnung({ kind, id, document }: Pick<Props, "kind" | "id" | "document">) {
  const { seller, customer, buyerReference } = document
  const mayCustomers = useMay()("customers", "read")
  const isDraft = seller === null
  const { data } = useRecord("customers", isDraft && mayCustomers ? customer : null)
  const reference = buyerReference ?? (isDraft ? (data?.buyerReference ?? null) : null)
  const check = useCheck(kind, id, "xrechnung", reference !== null)
  if (!check || reference === null) return null
  // An order is checked without the reference that its invoice is to have.
  const missing = check.missing.filter(({ field }) => field !== "buyerReference")
  if (missing.length === 0) return <Valid text={t(($) => $.xrechnungValid)} />
  const count = missing.length
  return (
    <Disclosure title={t(($) => $.xrechnungLacks, { count, shown: number(count) })} isOpenAtFirst>
      <Lacks check={{ ...check, missing }} document={document} />
    </Disclosure>
  )
}

function titleOf({ missing }: Check, isIssued: boolean): string {
  const count = missing.length
  return t(($) => (isIssued ? $.lackedAtIssue : $.lacks), { count, shown: number(count) })
}

const Valid = ({ text }: { text: string }) => (
  <Group gap={6} wrap="nowrap">
    <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" style={{ flexShrink: 0 }} aria-hidden />
    <Text size="sm">{text}</Text>
  </Group>
)

type DisclosureProps = { title: string; isOpenAtFirst?: boolean; children: ReactNode }

function Disclosure({ title, isOpenAtFirst = false, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const contentId = useId()
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div>
      <UnstyledButton aria-expanded={isOpen} aria-controls={contentId} onClick={() => setOpen(!isOpen)}>
        <Group gap={6} wrap="nowrap" align="start">
          <Chevron size={18} style={{ flexShrink: 0 }} aria-hidden />
          <Text size="sm" fw={600}>
            {title}
          </Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={contentId}>
        <Stack gap="xs" mt="xs">
          {children}
        </Stack>
      </Collapse>
    </div>
  )
}

function Lacks({ check, document }: { check: Check; document: CheckedDocument }) {
  const hrefOf = usePlaces(document)
  const isAdmin = useMay()("administration", "admin")
  return (
    <div>
      <MissingList
        missing={check.missing}
        lines={document.items}
        hrefOf={hrefOf}
        sellerHint={isAdmin ? undefined : t(($) => $.adminFillsIn)}
      />
    </div>
  )
}

/** The document whose e-invoice is checked, as far as the links need it. */
export type CheckedDocument = {
  /** The path of its page. */
  path: string
  /** True for a draft that the user may update. */
  isEditable: boolean
  customer: string
  items: readonly { item: string | null; uom: string }[]
}

type Rights = { isAdmin: boolean; mayCustomers: boolean; mayItems: boolean; hasTaxCodes: boolean }

/** Returns where the user can fill in what is missing: a page, which then focuses the field. */
export function usePlaces(document: CheckedDocument): (missing: Missing) => string | null {
  const may = useMay()
  const rights = {
    isAdmin: may("administration", "admin"),
    mayCustomers: may("customers", "write"),
    mayItems: may("items", "write"),
    hasTaxCodes: !useLacksTaxCodes(),
  }
  return (missing) => placeOf(missing, document, rights)
}

const focusing = (path: string, field: string, others: Record<string, string> = {}): string =>
  `${path}?${new URLSearchParams({ focus: field, ...others })}`

function placeOf({ field, rule }: Missing, document: CheckedDocument, rights: Rights): string | null {
  const { path, isEditable, customer } = document
  const [first, ...rest] = field.split(".")
  if (first === "seller") return rights.isAdmin ? focusing("/settings/company", rest.join(".")) : null
  if (first === "buyer")
    return rights.mayCustomers ? focusing(`/customers/${customer}`, rest.join(".")) : null
  const index = lineIndexOf(field)
  if (index !== null) return placeOfLine(rest.join("."), rule, index, document, rights)
  const isOfDocument = first === "buyerReference" || first === "shippingAddress"
  return isOfDocument && isEditable ? focusing(path, field) : null
}

/** A unit gets its code in the settings. A tax code is chosen in the line of a draft, or else in the item. */
function placeOfLine(
  part: string,
  rule: string | undefined,
  index: number,
  { path, isEditable, items }: CheckedDocument,
  { isAdmin, mayItems, hasTaxCodes }: Rights,
): string | null {
  const line = items[index]
  if (part === "uom" && isAdmin) return focusing("/settings/company", "unitCodes", { unit: line?.uom ?? "" })
  const needsTaxCodes = part === "taxCode" && (!hasTaxCodes || rule === "BR-E-10")
  if (needsTaxCodes) return isAdmin ? "/settings/tax-codes" : null
  const isOfItem = line?.item && part !== "description"
  if (isEditable && !(isOfItem && part === "uom")) return focusing(path, `items.${index}.${part}`)
  return isOfItem && mayItems ? focusing(`/items/${line.item}`, part) : null
}

/** An order is checked as if it were invoiced. */
export type CheckedKind = "invoices" | "credit-notes" | "sales-orders"
export type Check = { valid: boolean; missing: (Missing & { rule: string; message: string })[] }

type Profile = "en16931" | "xrechnung"

/** The path of the check of a document by the rules of a profile. */
export const checkPath = (kind: CheckedKind, id: string, profile: Profile = "en16931"): string =>
  `/${kind}/${id}/e-invoice?profile=${profile}`

/** Reads the check of a document. */
export const useCheck = (
  kind: CheckedKind,
  id: string,
  profile: Profile,
  isWanted = true,
): Check | undefined => useRead<Check>(checkPath(kind, id, profile), isWanted).data

/** What decides whether a document is checked for XRechnung. */
type Origin = {
  /** The company on an issued document; null on a draft. */
  seller: object | null
  buyerReference: string | null
}
