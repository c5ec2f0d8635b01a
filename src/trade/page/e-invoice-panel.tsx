import { Collapse, Group, Paper, Stack, Text, UnstyledButton } from "@mantine/core"
import { IconChevronDown, IconChevronRight, IconCircleCheck } from "../../console/parts/icons"
import { useId, useState, type ReactNode } from "react"
import { useMay } from "../../console/api/hooks"
import { number } from "../../console/format"
import { t } from "../../console/texts"
import { useCheck, useIsForXrechnung, type Check, type CheckedKind, type Origin } from "./e-invoice-check"
import { usePlaces, type CheckedDocument } from "./e-invoice-places"
import { MissingList } from "./missing-list"

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
  const isForXrechnung = useIsForXrechnung(document)
  if (!check) return null
  return (
    <Paper withBorder p="md" component="section" aria-label={t(($) => $.eInvoice.title)}>
      <Stack gap="xs">
        {check.valid ? (
          <Valid text={t(($) => $.eInvoice.valid)} />
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
        {isForXrechnung && <Xrechnung kind={kind} id={id} document={document} />}
      </Stack>
    </Paper>
  )
}

/** Whether the document is valid by the further rules of XRechnung. Few customers ask for it, so the list is closed. */
function Xrechnung({ kind, id, document }: Pick<Props, "kind" | "id" | "document">) {
  const check = useCheck(kind, id, "xrechnung")
  if (!check) return null
  if (check.valid) return <Valid text={t(($) => $.eInvoice.xrechnungValid)} />
  const count = check.missing.length
  return (
    <Disclosure title={t(($) => $.eInvoice.xrechnungLacks, { count, shown: number(count) })}>
      <Lacks check={check} document={document} />
    </Disclosure>
  )
}

function titleOf({ missing }: Check, isIssued: boolean): string {
  const count = missing.length
  return t(($) => (isIssued ? $.eInvoice.lackedAtIssue : $.eInvoice.lacks), { count, shown: number(count) })
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
        sellerHint={isAdmin ? undefined : t(($) => $.eInvoice.adminFillsIn)}
      />
    </div>
  )
}
