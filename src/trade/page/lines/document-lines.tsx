import { inUnits } from "../in-words"
import { Anchor, Card, Group, Paper, Stack, Table, Text, Title } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { Fragment, type ReactNode } from "react"
import { Link } from "wouter"
import type { InvoiceLine } from "../../../console/api/types"
import { beforeDiscount } from "../../../shared/documents/discount"
import { digitsOf, money, number, price } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { startsAsAmount } from "./line-discount"
import { taxRateText, untaxedName } from "./tax-codes"

export type ShownLine = Omit<InvoiceLine, "orderLine" | "creditedQuantity" | "creditedAmount"> & {
  /** Only on orders. */
  invoicedQuantity?: number
  returnedQuantity?: number
  deliveredQuantity?: number
  /** Only on invoices. */
  creditedAmount?: number
  /** Only on credit notes: true if an amount is credited, without a quantity. */
  isAmount?: boolean
}

type Props = { of: { items: readonly ShownLine[]; currency: string; pricesIncludeTax: boolean } }

/** The read-only lines of a document, before its discount, which the totals show. */
export function DocumentLines(props: Props) {
  const isNarrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false })
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t(($) => $.documents.lines)}
        </Title>
        {props.of.pricesIncludeTax && (
          <Text size="sm" c="dimmed">
            {t(($) => $.documents.pricesIncludeTax)}
          </Text>
        )}
      </Group>
      {isNarrow ? <LineCards {...props} /> : <LineTable {...props} />}
    </Paper>
  )
}

/** What has happened to a line since: a column of the table, or a few words on a card. */
type Extra = {
  title: string
  isShown: (line: ShownLine) => boolean
  show: (line: ShownLine, currency: string) => string
  inWords: (shown: string) => string
}

const extras: Extra[] = [
  {
    title: t(($) => $.documents.invoiced),
    isShown: ({ invoicedQuantity }) => invoicedQuantity !== undefined,
    show: ({ invoicedQuantity }) => number(invoicedQuantity),
    inWords: (quantity) => t(($) => $.documents.invoicedQuantity, { quantity }),
  },
  {
    title: t(($) => $.documents.delivered),
    isShown: ({ deliveredQuantity = 0 }) => deliveredQuantity > 0,
    show: ({ deliveredQuantity }) => number(deliveredQuantity),
    inWords: (quantity) => t(($) => $.documents.deliveredQuantity, { quantity }),
  },
  {
    title: t(($) => $.documents.returned),
    isShown: ({ returnedQuantity = 0 }) => returnedQuantity > 0,
    show: ({ returnedQuantity }) => number(returnedQuantity),
    inWords: (quantity) => t(($) => $.documents.returnedQuantity, { quantity }),
  },
  {
    title: t(($) => $.documents.credited),
    isShown: ({ creditedAmount = 0 }) => creditedAmount > 0,
    show: ({ creditedAmount }, currency) => money(creditedAmount, currency),
    inWords: (amount) => t(($) => $.documents.creditedAmount, { amount }),
  },
]

/** A column of figures. */
type Column = { title: string; show: (line: ShownLine) => ReactNode }

/** What has happened to the lines. */
const extrasOf = (lines: readonly ShownLine[]): Extra[] => extras.filter(({ isShown }) => lines.some(isShown))

/** The columns that have something to show. There is room for one of what has happened since; several are below the item. */
function columnsOf({ of: { items: lines, currency } }: Props): Column[] {
  const happened = extrasOf(lines)
  const discounts: Column = {
    title: common(($) => $.fields.discount),
    show: (line) => discountOf(line, currency) ?? "–",
  }
  return [
    { title: common(($) => $.fields.quantity), show: quantityOf },
    ...(happened.length > 1 ? [] : happened).map(({ title, isShown, show }) => ({
      title,
      show: (line: ShownLine) => (isShown(line) ? show(line, currency) : "–"),
    })),
    {
      title: common(($) => $.fields.rate),
      show: ({ isAmount, rate }) => (isAmount ? "–" : price(rate, currency)),
    },
    ...(lines.some((line) => discountOf(line, currency) !== null) ? [discounts] : []),
    { title: common(($) => $.fields.taxRate), show: (line) => <Tax line={line} /> },
    { title: common(($) => $.fields.amount), show: (line) => money(beforeDiscount(line), currency) },
  ]
}

function LineTable(props: Props) {
  const columns = columnsOf(props)
  const { items: lines, currency } = props.of
  const isBelow = extrasOf(lines).length > 1
  return (
    <Table.ScrollContainer
      minWidth={640}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.documents.lines) },
      }}
    >
      <Table verticalSpacing="xs" horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{common(($) => $.fields.item)}</Table.Th>
            {columns.map(({ title }) => (
              <Table.Th key={title} className="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <LineCells
              key={line.id}
              line={line}
              columns={columns}
              below={isBelow && happenedTo(line, currency)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

type LineCellsProps = { line: ShownLine; columns: Column[]; below: ReactNode }

const LineCells = ({ line, columns, below }: LineCellsProps) => (
  <Table.Tr>
    <Table.Td>
      <ItemLink line={line} />
      {below && (
        <Text size="xs" c="dimmed">
          {below}
        </Text>
      )}
    </Table.Td>
    {columns.map(({ title, show }) => (
      <Table.Td key={title} className="right">
        {show(line)}
      </Table.Td>
    ))}
  </Table.Tr>
)

function LineCards({ of: { items, currency } }: Props) {
  return (
    <Stack gap="xs">
      {items.map((line) => (
        <Card key={line.id} withBorder p="sm">
          <ItemLink line={line} />
          <Group justify="space-between" mt={4} gap="xs">
            <Text size="sm" className="figures">
              {figuresOf(line, currency)}
            </Text>
            <Text size="sm" fw={600} className="figures">
              {money(beforeDiscount(line), currency)}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            {taxAndExtrasOf(line, currency)}
          </Text>
        </Card>
      ))}
    </Stack>
  )
}

/** The quantity of a line. A credited amount has none. */
const quantityOf = ({ quantity, uom, isAmount }: ShownLine): string =>
  isAmount ? t(($) => $.documents.byAmount) : inUnits(quantity, uom)

function figuresOf(shown: ShownLine, currency: string): string {
  if (shown.isAmount) return quantityOf(shown)
  const line = `${quantityOf(shown)} × ${price(shown.rate, currency)}`
  const discount = discountOf(shown, currency)
  return discount ? t(($) => $.documents.discounted, { line, discount }) : line
}

const taxAndExtrasOf = (line: ShownLine, currency: string): string =>
  [t(($) => $.documents.taxRateOf, { rate: taxOf(line) }), happenedTo(line, currency)]
    .filter(Boolean)
    .join(" · ")

/** What has happened to a line, in a few words. */
const happenedTo = (line: ShownLine, currency: string): string =>
  extrasOf([line])
    .map(({ show, inWords }) => inWords(show(line, currency)))
    .join(" · ")

/** The item of a line, or its description. */
const ItemLink = ({ line }: { line: ShownLine }) =>
  line.item === null ? (
    <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
      {line.description}
    </Text>
  ) : (
    <>
      <Anchor component={Link} href={`/items/${line.item}`} size="sm">
        {line.itemName}
      </Anchor>
      <Text size="xs" c="dimmed">
        {line.itemCode}
      </Text>
    </>
  )

/** The discount as a percentage, or as an amount if it was probably given so. Null if there is none. */
function discountOf(line: ShownLine, currency: string): string | null {
  if (line.discountAmount === 0 && line.discount === 0) return null
  return startsAsAmount(line, digitsOf(currency))
    ? money(line.discountAmount, currency)
    : `${number(line.discount)} %`
}

/** The tax rate, and below it why no tax is charged. Long words wrap, so that they leave room for the amounts. */
function Tax({ line: { taxCategory, taxRate } }: { line: ShownLine }) {
  const name = untaxedName(taxCategory)
  return (
    <>
      {number(taxRate)} %{" "}
      {name && (
        <Text size="xs" c="dimmed" className="long-words">
          (
          {name.split(seam).map((part, i) => (
            <Fragment key={part}>
              {i > 0 && <wbr />}
              {part}
            </Fragment>
          ))}
          )
        </Text>
      )}
    </>
  )
}

/** Where a long word wraps if the browser does not know its syllables: innergemein|schaftlich. */
const seam = /(?<=gemein)(?=schaft)/

const taxOf = ({ taxCategory, taxRate }: ShownLine) => taxRateText(taxCategory, taxRate)
