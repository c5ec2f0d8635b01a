import { Alert, Button, Group, Paper, Stack, Switch, Text, TextInput } from "@mantine/core"
import type { Typed } from "../../../../console/forms/number"
import { NumberField } from "../../../../console/forms/number-field"
import { number } from "../../../../console/format"
import { t } from "../../../../console/texts"
import type { CountedItem } from "./draft"
import type { Scan } from "./scan-state"
import type { ScanState } from "./use-scan"

type Props = { state: ScanState; addsOne: boolean; onAddsOne: (addsOne: boolean) => void }

/** The inputs for a barcode scanner: code, Enter, quantity, Enter. */
export const ScanForm = ({ state, addsOne, onAddsOne }: Props) => (
  <Paper
    component="form"
    withBorder
    p="md"
    noValidate
    aria-label={t(($) => $.stockCount.scan)}
    onSubmit={(event) => {
      event.preventDefault()
      state.submit()
    }}
  >
    <Stack gap="sm">
      <Inputs state={state} addsOne={addsOne} />
      <Outcome scan={state.scan} />
      <Switch
        label={t(($) => $.stockCount.addsOne)}
        description={t(($) => $.stockCount.addsOneHint)}
        checked={addsOne}
        onChange={({ currentTarget }) => {
          onAddsOne(currentTarget.checked)
          state.clear()
        }}
      />
    </Stack>
  </Paper>
)

const Inputs = ({ state: { scan, dispatch, inputs, lookUp, cancel }, addsOne }: Omit<Props, "onAddsOne">) => (
  <Group align="end" gap="sm">
    <TextInput
      ref={inputs.code}
      label={t(($) => $.stockCount.code)}
      size="md"
      autoFocus
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={200}
      style={{ flex: "1 1 200px" }}
      value={scan.code}
      onChange={({ currentTarget }) => dispatch({ type: "code", code: currentTarget.value })}
    />
    {!addsOne && (
      <NumberField
        ref={inputs.quantity}
        label={t(($) => $.fields.quantity)}
        size="md"
        style={{ flex: "0 1 140px" }}
        value={scan.quantity}
        onChange={(quantity) => dispatch({ type: "quantity", quantity })}
        onFocus={lookUp}
        onKeyDown={({ key }) => key === "Escape" && cancel()}
      />
    )}
    <Button type="submit" size="md" variant="default">
      {t(($) => $.stockCount.add)}
    </Button>
  </Group>
)

/** The item whose quantity is asked for, or else what happened to the last scan. An error is announced at once. */
const Outcome = ({ scan: { item, before, problem, done, told } }: { scan: Scan }) => (
  <>
    {problem !== null && (
      <Alert key={told} color="red" role="alert" style={{ overflowWrap: "anywhere" }}>
        {problem}
      </Alert>
    )}
    <Text role="status" fw={item ? undefined : 600} mih="1.55em" style={{ overflowWrap: "anywhere" }}>
      {item ? foundInWords(item, before) : done !== null && <span key={told}>{done}</span>}
    </Text>
  </>
)

function foundInWords(item: CountedItem, before: Typed | undefined): string {
  const stock = t(($) => $.stock.itemStock, { quantity: number(item.currentStock), unit: item.uom })
  const found = `${item.itemName}: ${stock}.`
  if (before === undefined) return found
  const quantity = typeof before === "number" ? number(before) : before
  return `${found} ${t(($) => $.stockCount.again, { quantity })}`
}
