import { Alert, Button, Stack, Table } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useMediaQuery } from "@mantine/hooks"
import { IconPlus } from "@tabler/icons-react"
import { useDeferredValue, useMemo, useRef } from "react"
import { useMe } from "../api/hooks"
import { inputId, type LineActions } from "./line-inputs"
import { LineRow } from "./line-row"
import { blankLine, withItem, type LineValues } from "./line-values"
import { stockHints } from "./stock"
import type { PlainTotals } from "../../../shared/totals"
import { useLineItems } from "./use-line-items"

type Lines = { items: LineValues[] }
type Props = {
  /** Any form that has lines. */
  form: unknown
  totals: PlainTotals
}

/** The lines of a document: as a table, or one under the other where the screen is narrow. */
export function LineEditor({ form, totals }: Props) {
  const { values, errors, ...change } = form as UseFormReturnType<Lines>
  const { currency } = useMe().company
  const isCard = useMediaQuery("(max-width: 62em)", false, { getInitialValueInEffect: false })
  const lines = values.items
  const known = useLineItems(lines.map(({ item }) => item))
  // A quantity changes the hints of all lines below with the same item: they may follow a moment after the key.
  const hints = useDeferredValue(stockHints(lines, known.find))

  const add = () => {
    const line = blankLine()
    change.insertListItem("items", line)
    change.clearFieldError("items")
    focusOn(inputId(line.key, "item"))
  }
  const latest: LineActions = {
    set: (index, part, value) => change.setFieldValue(`items.${index}.${part}`, value),
    pick: (index, item) => {
      const line = lines[index]
      if (!line) return
      known.add(item)
      if (line.item !== item.id) change.replaceListItem("items", index, withItem(line, item))
      change.clearFieldError(`items.${index}.item`)
      change.clearFieldError("items")
      focusOn(inputId(line.key, "quantity"))
    },
    remove: (index) => {
      change.removeListItem("items", index)
      const neighbour = lines[index + 1] ?? lines[index - 1]
      focusOn(neighbour ? inputId(neighbour.key, "item") : addId)
    },
    next: (index) => {
      const after = lines[index + 1]
      if (after) focusOn(inputId(after.key, "quantity"))
      else add()
    },
  }
  const actions = useStable(latest)

  const rows = lines.map((line, index) => (
    <LineRow
      key={line.key}
      isCard={isCard}
      index={index}
      line={line}
      amount={totals.amounts[index] ?? 0}
      currency={currency}
      hint={hints[index] ?? null}
      faults={faultsOf(errors, index)}
      actions={actions}
    />
  ))
  return (
    <Stack gap="sm">
      {errors["items"] && (
        <Alert color="red" role="alert">
          Lines: {errors["items"]}
        </Alert>
      )}
      {isCard ? rows : lines.length > 0 && <Frame>{rows}</Frame>}
      <Button
        id={addId}
        variant="default"
        leftSection={<IconPlus size={16} />}
        onClick={add}
        style={{ alignSelf: "start" }}
      >
        Add line
      </Button>
    </Stack>
  )
}

const addId = "add-line"

const Frame = ({ children }: { children: React.ReactNode }) => (
  <Table horizontalSpacing={6} layout="fixed" withRowBorders={false}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Item</Table.Th>
        <Table.Th w={104}>Quantity</Table.Th>
        <Table.Th w={124}>Rate</Table.Th>
        <Table.Th w={116}>Discount %</Table.Th>
        <Table.Th w={72} className="right">
          Tax
        </Table.Th>
        <Table.Th w={124} className="right">
          Amount
        </Table.Th>
        <Table.Td w={48} />
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>{children}</Table.Tbody>
  </Table>
)

/** What the server has said of the parts of one line, by the part. */
function faultsOf(errors: Record<string, unknown>, index: number): Record<string, string> {
  const start = `items.${index}.`
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([path, fault]) => path.startsWith(start) && fault)
      .map(([path, fault]) => [path.slice(start.length), String(fault)]),
  )
}

/** Once what was asked for is on the page. */
const focusOn = (id: string) => setTimeout(() => document.getElementById(id)?.focus(), 20)

/** The same functions for as long as the lines are shown; each call goes to the latest. */
function useStable(latest: LineActions): LineActions {
  const held = useRef(latest)
  held.current = latest
  return useMemo(
    () => ({
      set: (...given) => held.current.set(...given),
      pick: (...given) => held.current.pick(...given),
      remove: (...given) => held.current.remove(...given),
      next: (...given) => held.current.next(...given),
    }),
    [],
  )
}
