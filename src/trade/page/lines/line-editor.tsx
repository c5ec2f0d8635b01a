import { unitOf } from "../in-words"
import { Alert, Button, Card, Group, NativeSelect, SimpleGrid, Stack, Table, Text } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useMediaQuery } from "@mantine/hooks"
import { IconPlus } from "../../../console/parts/icons"
import { memo, useDeferredValue, useMemo, useRef } from "react"
import { useMe } from "../../../console/api/hooks"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { type LineTax, taxOfValues } from "./line-tax"
import { blankLine, filledLines, freeLine, type LineValues } from "./line-values"
import { revisedHints, type StockHint } from "./stock"
import type { useDocumentTax } from "../draft/use-document-tax"
import type { Item, OrderLine, TaxCode } from "../../../console/api/types"
import { type FormSense, withItem } from "./filled-line"
import { withOtherDiscount } from "./line-discount"
import {
  type Common,
  DescriptionInput,
  DiscountInput,
  inputId,
  ItemInput,
  labelsOf,
  type LineActions,
  NumberInput,
  placeOf,
  RemoveButton,
  scans,
  UnitInput,
} from "./line-inputs"
import { digitsOf, money, number } from "../../../console/format"
import { Note } from "../view/note"
import { untaxedName } from "./tax-codes"

type TaxInputProps = Common & {
  /** The chosen tax code; null if the line has its usual tax. */
  value: string | null
  /** The usual tax of the line, as text. */
  usual: string
  /** The tax code of that tax. It is not offered a second time. */
  usualCode: string | null
  codes: readonly TaxCode[]
}

/** The tax of a line: the usual one, or that of a tax code. */
const TaxInput = memo(function TaxInput(props: TaxInputProps) {
  const { isCard, index, actions, value, usual, usualCode, codes, error, isHeld } = props
  const offered = codes.filter(({ id, isActive }) => id === value || (isActive && id !== usualCode))
  return (
    <NativeSelect
      disabled={isHeld}
      {...placeOf(props, "taxCode")}
      {...labelsOf(isCard, index, "tax")}
      data={[
        { value: "", label: usual },
        ...offered.map(({ id, code, rate }) => ({ value: id, label: `${number(rate)} % · ${code}` })),
      ]}
      styles={{ input: { textOverflow: "ellipsis" } }}
      value={value ?? ""}
      title={value === null ? usual : undefined}
      error={error}
      onChange={({ currentTarget }) => actions.set(index, "taxCode", currentTarget.value || null)}
    />
  )
})

/** Returns the usual tax of a line in a few words: the rate, and where it comes from. */
function usualTax({ taxCode, taxCategory, taxRate, from }: LineTax, codes: readonly TaxCode[]): string {
  const rate = number(taxRate)
  if (from === "item" || from === "customer" || from === "default")
    return t(($) => $.documents.taxFrom[from], { rate })
  const code = codes.find(({ id }) => id === taxCode)?.code
  const name = code ?? untaxedName(taxCategory)
  return name ? `${rate} % · ${name}` : `${rate} %`
}

type Tax = ReturnType<typeof useDocumentTax>

type Props = {
  /** A form that has lines. */
  form: unknown
  tax: Tax
  /** The ids of the stored lines of which only the quantity can be updated. */
  held?: ReadonlySet<string>
  /** The stored lines of a submitted order, which have reserved stock. */
  reserved?: readonly OrderLine[]
}

/** The lines of a document, as a table or, if that would leave no room for the names of the items, as cards. */
export function LineEditor({ form: given, tax, held, reserved = [] }: Props) {
  const form = given as UseFormReturnType<Lines>
  const lines = form.values.items
  const { currency } = useMe().company
  const isCard = useMediaQuery("(max-width: 68em)", false, { getInitialValueInEffect: false })
  // A quantity changes the hints of all later lines with the same item. The hints may update after the keystroke.
  const hints = useDeferredValue(revisedHints(lines, tax.items.find, reserved))
  const { add, addFree, actions } = useLineActions(form, { sense: tax.sense, onPick: tax.items.add })
  const rows = lines.map((line, index) => (
    <LineRow
      key={line.key}
      isCard={isCard}
      index={index}
      line={line}
      {...taxesOf(line, tax)}
      codes={tax.rules.codes}
      amount={tax.totals.amounts[index] ?? 0}
      currency={currency}
      hint={hints[index] ?? null}
      errors={errorsOf(form.errors, index)}
      actions={actions}
      isHeld={held?.has(line.id ?? "") ?? false}
    />
  ))
  return (
    <Stack gap="sm">
      {form.errors["items"] && (
        <Alert color="red" role="alert">
          {filledLines(lines).length === 0
            ? t(($) => $.documents.noLines)
            : t(($) => $.documents.linesError, { error: String(form.errors["items"]) })}
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
function taxesOf(line: LineValues, { rules }: Tax): LineTaxes {
  if (!line.isFree && line.item === "") return { usual: "–", usualCode: null }
  const usual = taxOfValues({ ...line, taxCode: null }, rules)
  return { usual: usualTax(usual, rules.codes), usualCode: usual.taxCode }
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
        <Table.Th w={124}>{common(($) => $.fields.discount)}</Table.Th>
        <Table.Th w={192}>{t(($) => $.documents.part.tax)}</Table.Th>
        <Table.Th w={112} className="right">
          {common(($) => $.fields.amount)}
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

type Lines = { items: LineValues[] }

/** The id of the button that adds a line. */
const addId = "add-line"

type Options = { sense: FormSense; onPick: (item: Item) => void }

/** The actions on the lines of a form. Each action moves the focus to the next input to fill in. */
function useLineActions(form: UseFormReturnType<Lines>, { sense, onPick }: Options) {
  const lines = form.values.items
  const insert = (line: LineValues) => {
    form.insertListItem("items", line)
    form.clearFieldError("items")
    focusOn(subjectId(line))
  }
  const add = () => insert(blankLine())
  const actions = useStable({
    set: (index, part, value) => form.setFieldValue(`items.${index}.${part}`, value),
    pick: (index, item) => {
      const line = lines[index]
      if (!line) return
      onPick(item)
      if (line.item !== item.id) form.replaceListItem("items", index, withItem(line, item, sense))
      form.clearFieldError(`items.${index}.item`)
      form.clearFieldError("items")
      focusOn(inputId(line.key, "quantity"))
    },
    switchDiscount: (index) => {
      const line = lines[index]
      if (!line) return
      form.replaceListItem("items", index, withOtherDiscount(line, sense.digits))
      focusOn(inputId(line.key, "discount"))
    },
    remove: (index) => {
      form.removeListItem("items", index)
      const neighbour = lines[index + 1] ?? lines[index - 1]
      focusOn(neighbour ? subjectId(neighbour) : addId)
    },
    next: (index) => {
      const after = lines[index + 1]
      if (after) focusOn(inputId(after.key, after.item === "" ? "item" : "quantity"))
      else add()
    },
    scan: (code) => {
      const line = blankLine()
      scans.set(line.key, code)
      insert(line)
    },
  })
  return { add, addFree: () => insert(freeLine()), actions }
}

/** The id of the input that says what a line sells. */
const subjectId = ({ key, isFree }: LineValues) => inputId(key, isFree ? "description" : "item")

/** Waits for the next render, because the input may not exist before it. */
const focusOn = (id: string) => setTimeout(() => document.getElementById(id)?.focus(), 20)

/** Returns functions that stay the same between renders. Each calls the latest version. */
function useStable(latest: LineActions): LineActions {
  const latestRef = useRef(latest)
  latestRef.current = latest
  return useMemo(
    () => ({
      set: (...args) => latestRef.current.set(...args),
      pick: (...args) => latestRef.current.pick(...args),
      switchDiscount: (...args) => latestRef.current.switchDiscount(...args),
      remove: (...args) => latestRef.current.remove(...args),
      next: (...args) => latestRef.current.next(...args),
      scan: (...args) => latestRef.current.scan(...args),
    }),
    [],
  )
}

/** The usual tax of a line in words, and its tax code if it has one. */
type LineTaxes = { usual: string; usualCode: string | null }

type LineRowProps = LineTaxes & {
  isCard: boolean
  index: number
  line: LineValues
  codes: readonly TaxCode[]
  amount: number
  currency: string
  hint: StockHint
  /** The server's errors for this line, by field. */
  errors: Record<string, string>
  actions: LineActions
  /** True if only its quantity can be updated. */
  isHeld: boolean
}

/** One line. A document can have hundreds of lines, so only changed lines render again. */
const LineRow = memo(function LineRow(props: LineRowProps) {
  return props.isCard ? <LineCard {...props} /> : <LineCells {...props} />
}, isSameRow)

function LineCard(props: LineRowProps) {
  const { index, line, codes, amount, currency, actions, isHeld } = props
  const title = t(($) => $.documents.line, { line: index + 1 })
  return (
    <Card withBorder p="sm" component="section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {!isHeld && <RemoveButton index={index} actions={actions} />}
      </Group>
      {line.isFree ? <DescriptionPart {...props} /> : <ItemPart {...props} />}
      <SimpleGrid cols={{ base: 2, xs: codes.length > 0 ? 4 : 3 }} spacing="xs" mt="xs">
        <QuantityPart {...props} />
        {line.isFree && <UnitPart {...props} />}
        <RatePart {...props} />
        <DiscountPart {...props} />
        {codes.length > 0 && <TaxPart {...props} />}
      </SimpleGrid>
      <Group justify={codes.length > 0 ? "end" : "space-between"} mt="xs">
        {codes.length === 0 && <TaxPart {...props} />}
        <Text size="sm" fw={600} className="figures">
          {money(amount, currency)}
        </Text>
      </Group>
    </Card>
  )
}

function LineCells(props: LineRowProps) {
  const { index, line, amount, currency, actions, isHeld } = props
  return (
    <Table.Tr style={{ verticalAlign: "top" }}>
      <Table.Td>{line.isFree ? <FreePart {...props} /> : <ItemPart {...props} />}</Table.Td>
      <Table.Td>
        <QuantityPart {...props} />
      </Table.Td>
      <Table.Td>
        <RatePart {...props} />
      </Table.Td>
      <Table.Td>
        <DiscountPart {...props} />
      </Table.Td>
      <Table.Td>
        <TaxPart {...props} />
      </Table.Td>
      <Table.Td className="right" pt="md">
        {money(amount, currency)}
      </Table.Td>
      <Table.Td>{!isHeld && <RemoveButton index={index} actions={actions} />}</Table.Td>
    </Table.Tr>
  )
}

/** The props of an input, with the first error of these fields. */
const inputOf = (
  { isCard, index, line, errors, actions, isHeld }: LineRowProps,
  ...fields: string[]
): Common => ({
  isCard,
  isHeld,
  index,
  lineKey: line.key,
  actions,
  error: fields.map((field) => errors[field]).find(Boolean),
})

const ItemPart = (props: LineRowProps) => (
  <>
    <ItemInput
      {...inputOf(props, "item", "id")}
      picked={props.line.item ? `${props.line.itemCode} · ${props.line.itemName}` : ""}
    />
    <Hint hint={props.hint} />
  </>
)

const FreePart = (props: LineRowProps) => (
  <>
    <DescriptionPart {...props} />
    <Group gap={6} wrap="nowrap" mt={4}>
      <Text size="xs" c="dimmed" aria-hidden>
        {t(($) => $.documents.part.uom)}
      </Text>
      <div style={{ width: 90 }}>
        <UnitPart {...props} />
      </div>
    </Group>
  </>
)

/** A line that names nothing gets the error of its item. */
const DescriptionPart = (props: LineRowProps) => (
  <DescriptionInput {...inputOf(props, "description", "item", "id")} value={props.line.description} />
)

const UnitPart = (props: LineRowProps) => <UnitInput {...inputOf(props, "uom")} value={props.line.uom} />

const QuantityPart = (props: LineRowProps) => (
  <NumberInput {...inputOf(props, "quantity")} part="quantity" value={props.line.quantity} />
)

const RatePart = (props: LineRowProps) => (
  <NumberInput
    {...inputOf(props, "rate")}
    part="rate"
    value={props.line.rate}
    placeholder={props.line.item || props.line.stored ? number(props.line.defaultRate) : undefined}
    digits={digitsOf(props.currency)}
  />
)

const DiscountPart = (props: LineRowProps) => (
  <DiscountInput
    {...inputOf(props, "discountAmount", "discount")}
    value={props.line.discount}
    isAmount={props.line.isAmount}
    currency={props.currency}
  />
)

/** Without tax codes there is nothing to choose. */
const TaxPart = (props: LineRowProps) =>
  props.codes.length > 0 ? (
    <TaxInput
      {...inputOf(props, "taxCode")}
      value={props.line.taxCode}
      usual={props.usual}
      usualCode={props.usualCode}
      codes={props.codes}
    />
  ) : (
    <Text size="sm" pt={props.isCard ? 0 : 8} c={props.isCard ? "dimmed" : undefined}>
      {props.isCard ? t(($) => $.documents.taxRateOf, { rate: props.usual }) : props.usual}
    </Text>
  )

/** Compares rows by value, because the form copies every line at every keystroke. */
function isSameRow(before: LineRowProps, after: LineRowProps): boolean {
  const { line, hint, errors, ...others } = before
  const { line: nextLine, hint: nextHint, errors: nextErrors, ...nextOthers } = after
  // The stored figures are not shown.
  return (
    isShallowlySame(others, nextOthers) &&
    isShallowlySame({ ...line, stored: null }, { ...nextLine, stored: null }) &&
    isShallowlySame(hint ?? {}, nextHint ?? {}) &&
    isShallowlySame(errors, nextErrors)
  )
}

function isShallowlySame(a: object, b: object): boolean {
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const name in one) if (one[name] !== other[name]) return false
  for (const name in other) if (one[name] !== other[name]) return false
  return true
}

function shortageInWords({ available, uom }: NonNullable<StockHint>): string {
  if (available === 0) return t(($) => $.documents.noneAvailable)
  const quantity = number(Math.abs(available))
  return t(($) => (available > 0 ? $.documents.onlyAvailable : $.documents.lessAvailable), {
    quantity,
    uom: unitOf(uom, Math.abs(available)),
  })
}

function Hint({ hint }: { hint: StockHint }) {
  if (!hint) return null
  if (hint.isShort) return <Note>{shortageInWords(hint)}</Note>
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {t(($) => $.documents.available, {
        quantity: number(hint.available),
        uom: unitOf(hint.uom, hint.available),
      })}
    </Text>
  )
}
