import { Table, Text } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { ReactNode } from "react"
import type { OrderLine } from "../../../console/api/types"
import { NumberField } from "../../../console/forms/number-field"
import type { Typed } from "../../../console/forms/number"
import { number } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { inUnits } from "../in-words"
import { t } from "../texts"

/** `now` contains the quantities that are entered, by the id of the line. */
export type Taking = { now: Record<string, Typed> }

/** A quantity of a line that the table shows beside what is taken now. */
export type Shown = "ordered" | "delivered" | "invoiced"

const quantities: Record<Shown, (line: OrderLine) => string> = {
  ordered: ({ quantity, uom }) => inUnits(quantity, uom),
  delivered: ({ deliveredQuantity }) => number(deliveredQuantity),
  invoiced: ({ invoicedQuantity }) => number(invoicedQuantity),
}

type Props<V extends Taking> = {
  lines: readonly OrderLine[]
  form: UseFormReturnType<V>
  shown: readonly Shown[]
  /** The title of the inputs, and the name of the one of a line. */
  title: string
  labelOf: (item: string) => string
  /** What is below the name of a line. */
  below: (line: OrderLine) => ReactNode
}

/** The lines of an order, with an input for how much a new document takes of each that has something left. */
export function LinesToTake<V extends Taking>({ lines, form, shown, title, labelOf, below }: Props<V>) {
  const { now } = form.values
  const first = lines.find(({ id }) => id in now)
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{common(($) => $.fields.item)}</Table.Th>
          {shown.map((name) => (
            <Table.Th key={name} className="right" visibleFrom="xs">
              {t(($) => $.documents[name])}
            </Table.Th>
          ))}
          <Table.Th w={150}>{title}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.id}>
            <Table.Td>
              <LineName line={line} />
              {shown.map((name) => (
                <Text key={name} size="xs" hiddenFrom="xs">
                  {t(($) => $.documents[name])}: {quantities[name](line)}
                </Text>
              ))}
              {below(line)}
            </Table.Td>
            {shown.map((name) => (
              <Table.Td key={name} className="right" visibleFrom="xs">
                {quantities[name](line)}
              </Table.Td>
            ))}
            <Table.Td>
              {line.id in now ? (
                <NumberField
                  data-autofocus={line === first || undefined}
                  aria-label={labelOf(nameOf(line))}
                  {...form.getInputProps(`now.${line.id}`)}
                />
              ) : (
                "–"
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

type Named = Pick<OrderLine, "itemName" | "description" | "itemCode">

export const nameOf = ({ itemName, description }: Named): string => itemName ?? description ?? ""

/** The name of a line and the code of its item. */
export const LineName = ({ line }: { line: Named }) => (
  <>
    <Text inherit style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
      {nameOf(line)}
    </Text>
    {line.itemCode && (
      <Text size="xs" c="dimmed">
        {line.itemCode}
      </Text>
    )}
  </>
)

/** Returns what is taken of the lines. Text that is not a number is sent too, and the server rejects it. */
export const takenOf = (lines: readonly Pick<OrderLine, "id">[], { now }: Taking) =>
  lines.map(({ id }) => ({ orderLine: id, quantity: now[id] || 0 })).filter(({ quantity }) => quantity !== 0)

/** Finds the input of an error about `items[2].quantity` of the request. */
export function inputOf(field: string, taken: ReturnType<typeof takenOf>): string {
  const [, index, part] = /^items\[(\d+)\]\.(\w+)$/.exec(field) ?? []
  const line = taken[Number(index)]?.orderLine
  return line && part === "quantity" ? `now.${line}` : field
}
