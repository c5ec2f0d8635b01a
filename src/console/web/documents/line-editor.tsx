import { Alert, Button, Stack, Table } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useMediaQuery } from "@mantine/hooks"
import { IconPlus } from "@tabler/icons-react"
import { useDeferredValue } from "react"
import type { PlainTotals } from "../../../shared/totals"
import { useMe } from "../api/hooks"
import { t } from "../texts"
import { LineRow } from "./line-row"
import { stockHints } from "./stock"
import { addId, useLineActions, type Lines } from "./use-line-actions"
import { useLineItems } from "./use-line-items"

type Props = {
  /** A form that has lines. */
  form: unknown
  totals: PlainTotals
}

/** The lines of a document, as a table or, on narrow screens, as cards. */
export function LineEditor({ form: given, totals }: Props) {
  const form = given as UseFormReturnType<Lines>
  const lines = form.values.items
  const { currency } = useMe().company
  const isCard = useMediaQuery("(max-width: 62em)", false, { getInitialValueInEffect: false })
  const known = useLineItems(lines.map(({ item }) => item))
  // A quantity changes the hints of all later lines with the same item. The hints may update after the keystroke.
  const hints = useDeferredValue(stockHints(lines, known.find))
  const { add, actions } = useLineActions(form, known.add)
  const rows = lines.map((line, index) => (
    <LineRow
      key={line.key}
      isCard={isCard}
      index={index}
      line={line}
      amount={totals.amounts[index] ?? 0}
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
      <AddButton onClick={add} />
    </Stack>
  )
}

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <Button
    id={addId}
    variant="default"
    leftSection={<IconPlus size={16} />}
    onClick={onClick}
    style={{ alignSelf: "start" }}
  >
    {t(($) => $.documents.addLine)}
  </Button>
)

const Frame = ({ children }: { children: React.ReactNode }) => (
  <Table horizontalSpacing={6} layout="fixed" withRowBorders={false}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t(($) => $.documents.part.item)}</Table.Th>
        <Table.Th w={104}>{t(($) => $.documents.part.quantity)}</Table.Th>
        <Table.Th w={124}>{t(($) => $.documents.part.rate)}</Table.Th>
        <Table.Th w={116}>{t(($) => $.documents.part.discount)}</Table.Th>
        <Table.Th w={84} className="right">
          {t(($) => $.documents.taxRate)}
        </Table.Th>
        <Table.Th w={124} className="right">
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
