import { ActionIcon, Alert, Button, Group, Switch, Textarea } from "@mantine/core"
import { useForm, type UseFormReturnType } from "@mantine/form"
import { IconPlus, IconTrash } from "../../../console/parts/icons"
import type { Item } from "../../../console/api/types"
import { NumberField } from "../../../console/forms/number-field"
import { FormDialog } from "../../../console/parts/form-dialog"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { ItemPicker } from "./item-picker"
import { useAddsOne } from "./count/draft"
import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { call } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import { placeError } from "../../../console/forms/field-errors"
import { newKey, useAttempt } from "../../../console/forms/use-record-form"
import { useUnsavedGuard } from "../../../console/forms/unsaved"
import { number } from "../../../console/format"
import { tellDone } from "../../../console/parts/tell"

type Props = { item: Item | null; onClose: () => void }
type Form = UseFormReturnType<Receipt>

/** Receives goods: any number of items with their quantities, and one note for all of them. */
export function ReceiptDialog({ item, onClose }: Props) {
  const state = useReceipt(item?.id ?? null, onClose)
  const { form } = state
  const add = () => form.insertListItem("lines", newLine())
  const [addsOne, setAddsOne] = useAddsOne()
  const [missed, setMissed] = useState<string[]>([])
  return (
    <FormDialog
      title={t(($) => $.stock.receive)}
      state={state}
      submit={common(($) => $.common.save)}
      onClose={onClose}
    >
      {form.values.lines.map(({ key }, index) => (
        <Line
          key={key}
          form={form}
          index={index}
          item={index === 0 ? item : null}
          addsOne={addsOne}
          onNext={add}
          onUnknown={(code) => setMissed((codes) => [...codes, code])}
        />
      ))}
      <MissedCodes codes={missed} onDismissed={() => setMissed([])} />
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        onClick={add}
        style={{ alignSelf: "start" }}
      >
        {t(($) => $.stock.addLine)}
      </Button>
      <Switch
        label={t(($) => $.stockCount.addsOne)}
        description={t(($) => $.stock.scanReceivesOne)}
        checked={addsOne}
        onChange={({ currentTarget }) => setAddsOne(currentTarget.checked)}
      />
      <Textarea
        label={common(($) => $.fields.note)}
        autosize
        minRows={2}
        maxLength={500}
        {...form.getInputProps("note")}
      />
    </FormDialog>
  )
}

/** The codes that were scanned and that no item has, until they are dismissed. */
const MissedCodes = ({ codes, onDismissed }: { codes: readonly string[]; onDismissed: () => void }) => (
  <div role="status">
    {codes.length > 0 && (
      <Alert
        color="yellow"
        title={t(($) => $.stock.missed)}
        withCloseButton
        closeButtonLabel={common(($) => $.common.close)}
        onClose={onDismissed}
      >
        {codes.join(", ")}
      </Alert>
    )}
  </div>
)

type LineProps = {
  form: Form
  index: number
  item: Item | null
  addsOne: boolean
  onNext: () => void
  onUnknown: (code: string) => void
}

/** One line. Enter in the last quantity adds the next line. */
function Line({ form, index, item, addsOne, onNext, onUnknown }: LineProps) {
  const count = form.values.lines.length
  const isFirst = index === 0
  const line = index + 1
  const named = (label: string, inLine: string) => (isFirst ? { label } : { "aria-label": inLine })
  const quantity = useRef<HTMLInputElement>(null)
  return (
    <Group align="start" wrap="nowrap" gap="xs">
      <div style={{ flex: 1, minWidth: 0 }}>
        <ItemPicker
          {...named(
            common(($) => $.fields.item),
            t(($) => $.stock.itemInLine, { line }),
          )}
          required
          chosen={item}
          autoFocus={!isFirst}
          data-autofocus={(isFirst && !item) || undefined}
          onUnknown={addsOne ? onUnknown : undefined}
          onPicked={(id) => (addsOne ? addOne(form, index, id) : quantity.current?.focus())}
          {...form.getInputProps(`lines.${index}.item`)}
        />
      </div>
      <NumberField
        ref={quantity}
        {...named(
          common(($) => $.fields.quantity),
          t(($) => $.stock.quantityInLine, { line }),
        )}
        required
        isQuantity
        w={{ base: 90, xs: 110 }}
        data-autofocus={(isFirst && item !== null) || undefined}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || index < count - 1 || form.values.lines[index]?.item === null) return
          event.preventDefault()
          onNext()
        }}
        {...form.getInputProps(`lines.${index}.quantity`)}
      />
      {count > 1 && <RemoveButton index={index} onClick={() => form.removeListItem("lines", index)} />}
    </Group>
  )
}

const RemoveButton = ({ index, onClick }: { index: number; onClick: () => void }) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={36}
    // The first line has labels above its inputs.
    mt={index === 0 ? 25 : 0}
    aria-label={t(($) => $.stock.removeLine, { line: index + 1 })}
    onClick={onClick}
  >
    <IconTrash size={16} />
  </ActionIcon>
)

type NewLineLine = { key: string; item: string | null; quantity: number | string }
type Receipt = { lines: NewLineLine[]; note: string }

const newLine = (item: string | null = null): NewLineLine => ({ key: newKey(), item, quantity: "" })

/** Adds one to the quantity of an item that was scanned in a line, and goes on with a new line. */
function addOne(form: Form, index: number, item: string): void {
  const { lines } = form.getValues()
  const known = lines.findIndex((line, i) => i !== index && line.item === item)
  const at = known < 0 ? index : known
  const counted = lines.map((line, i) =>
    i === at ? { ...line, item, quantity: typeof line.quantity === "number" ? line.quantity + 1 : 1 } : line,
  )
  form.setFieldValue("lines", [...counted.filter((_, i) => i !== index || known < 0), newLine()])
}

const isBlank = ({ item, quantity }: NewLineLine) => item === null && quantity === ""

/**
 * The form of a receipt. Each line is one stock movement. They are saved in their order. A saved line leaves the form,
 * so if one is refused, the lines that are left can be corrected and saved again.
 */
function useReceipt(item: string | null, onClose: () => void) {
  const client = useQueryClient()
  const [error, setError] = useState<string | null>(null)
  const form = useForm<Receipt>({
    initialValues: { lines: [newLine(item)], note: "" },
    // After an edit the error is no longer true.
    onValuesChange: () => setError(null),
  })
  const attempt = useAttempt()
  const release = useUnsavedGuard(form.isDirty())
  const store = useStoreLine()
  const saveAll = async (): Promise<void> => {
    const { lines, note } = form.values
    const given = lines.length === 1 ? lines : lines.filter((line) => !isBlank(line))
    for (const [index, line] of given.entries())
      try {
        await store(line, note)
      } catch (error) {
        const left = given.slice(index)
        form.setFieldValue("lines", left)
        setError(refusedLine(form, error, index))
        return void client.invalidateQueries()
      }
    await client.invalidateQueries()
    release()
    tellDone(t(($) => $.stock.receiptsSaved, { count: given.length, shown: number(given.length) }))
    onClose()
  }
  const save = (): Promise<void> => {
    setError(null)
    form.clearErrors()
    return attempt.run(saveAll)
  }
  return { form, error, isSaving: attempt.isSaving, save, ...noConflict }
}

const noConflict = { conflict: null, keepMine: () => null, takeTheirs: () => {}, loadNewer: null }

/** Sends one line. The same line sent twice, after a lost response, is stored once. */
function useStoreLine() {
  const keys = useRef(new Map<string, string>())
  return ({ key, item, quantity }: NewLineLine, note: string) => {
    const body = {
      ...(item ? { item } : {}),
      ...(quantity === "" ? {} : { quantity }),
      reason: "receipt",
      ...(note.trim() ? { note } : {}),
    }
    const text = JSON.stringify([key, body])
    const idempotencyKey = keys.current.get(text) ?? newKey()
    keys.current.set(text, idempotencyKey)
    return call("POST", "/stock-movements", { body, idempotencyKey })
  }
}

/** Shows the error of a line, which is the first one that is left. Says how many lines are saved already. */
function refusedLine(form: UseFormReturnType<Receipt>, error: unknown, saved: number): string | null {
  const atLine = (field: string) => (field === "item" || field === "quantity" ? `lines[0].${field}` : field)
  const named =
    error instanceof ApiError
      ? new ApiError(
          error.status,
          error.code,
          error.message,
          error.details.map((detail) => ({ ...detail, field: atLine(detail.field) })),
        )
      : error
  const message = placeError(form, named)
  if (saved === 0) return message
  const told = t(($) => $.stock.linesSaved, { count: saved, shown: number(saved) })
  return [told, message].filter(Boolean).join(" ")
}
