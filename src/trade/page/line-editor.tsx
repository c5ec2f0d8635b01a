import { Alert, Button, Group, Stack, Table } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useMediaQuery } from "@mantine/hooks"
import { IconPlus } from "../../console/parts/icons"
import { useDeferredValue } from "react"
import { useMe } from "../../console/api/hooks"
import { t } from "../../console/texts"
import { LineRow, type LineTaxes } from "./line-row"
import { taxOfLine } from "./line-tax"
import type { LineValues } from "./line-values"
import { stockHints } from "./stock"
import { usualTax } from "./tax-input"
import type { useDocumentTax } from "./use-document-tax"
import { addId, useLineActions, type Lines } from "./use-line-actions"

type Tax = ReturnType<typeof useDocumentTax>

type Props = {
  /** A form that has lines. */
  form: unknown
  tax: Tax
}

/** The lines of a document, as a table or, if that would leave no room for the names of the items, as cards. */
export function LineEditor({ form: given, tax }: Props) {
  const form = given as UseFormReturnType<Lines>
  const lines = form.values.items
  const { currency } = useMe().company
  const isCard = useMediaQuery("(max-width: 68em)", false, { getInitialValueInEffect: false })
  // A quantity changes the hints of all later lines with the same item. The hints may update after the keystroke.
  const hints = useDeferredValue(stockHints(lines, tax.items.find))
  const { add, addFree, actions } = useLineActions(form, { sense: tax.sense, onPick: tax.items.add })
  const rows = lines.map((line, index) => (
    <LineRow
      key={line.key}
      isCard={isCard}
      index={index}
      line={line}
      {...taxesOf(line, tax)}
      codes={tax.taxation.codes}
      amount={tax.totals.amounts[index] ?? 0}
      currency={currency}
      hint={hints[index] ?? null}
      errors={errorsOf(form.errors, index)}
      actions={actions}
    />
  ))
  return (
    <Stack gap="sm">
      {form.errors["items"] && (
        <Alert color="red" role="alert">
          {t(($) => $.documents.linesError, { error: String(form.errors["items"]) })}
        </Alert>
      )}
      {isCard ? rows : lines.length > 0 && <Frame>{rows}</Frame>}
      <Group gap="sm">
        <AddButton id={addId} label={t(($) => $.documents.addLine)} onClick={add} />
        <AddButton label={t(($) => $.documents.addFreeLine)} onClick={addFree} />
      </Group>
    </Stack>
  )
}

/** The usual tax of a line, from which the user may choose another one. */
function taxesOf(line: LineValues, { taxation }: Tax): LineTaxes {
  if (!line.isFree && line.item === "") return { usual: "–", usualCode: null }
  const usual = taxOfLine({ ...line, taxCode: null }, taxation)
  return { usual: usualTax(usual, taxation.codes), usualCode: usual.taxCode }
}

type AddProps = { id?: string; label: string; onClick: () => void }

const AddButton = ({ id, label, onClick }: AddProps) => (
  <Button id={id} variant="default" leftSection={<IconPlus size={16} />} onClick={onClick}>
    {label}
  </Button>
)

const Frame = ({ children }: { children: React.ReactNode }) => (
  <Table horizontalSpacing={6} layout="fixed" withRowBorders={false}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t(($) => $.documents.part.item)}</Table.Th>
        <Table.Th w={104}>{t(($) => $.documents.part.quantity)}</Table.Th>
        <Table.Th w={124}>{t(($) => $.documents.part.rate)}</Table.Th>
        <Table.Th w={124}>{t(($) => $.fields.discount)}</Table.Th>
        <Table.Th w={148}>{t(($) => $.documents.part.tax)}</Table.Th>
        <Table.Th w={112} className="right">
          {t(($) => $.fields.amount)}
        </Table.Th>
        <Table.Td w={48} />
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>{children}</Table.Tbody>
  </Table>
)

/** Returns the server's errors for one line, by field. */
function errorsOf(errors: Record<string, unknown>, index: number): Record<string, string> {
  const start = `items.${index}.`
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([path, error]) => path.startsWith(start) && error)
      .map(([path, error]) => [path.slice(start.length), String(error)]),
  )
}
