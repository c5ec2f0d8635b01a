import { ActionIcon, Box, Button, Group, Stack, Text, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "../../../console/parts/icons"
import { useEffect, type ReactNode } from "react"
import { unitCodeOf } from "../../../shared/documents/units"
import { keepFromSubmitting } from "../../../console/forms/search-select"
import { replaceParameters, useWantedField } from "../../../console/forms/record-form"
import { Section } from "../../../console/parts/page"
import { t as eInvoiceTexts } from "../../page/papers/e-invoice-texts"
import { unitRow, type UnitRow, type SectionProps } from "./values"

/** The UN/ECE codes of the shop's own units. */
export function UnitSection({ form }: SectionProps) {
  const { unitCodes } = form.values
  useUnitFromUrl(form)
  const add = () => {
    form.insertListItem("unitCodes", unitRow(""))
    replaceParameters([], { focus: `unitCodes.${unitCodes.length}.word` })
  }
  return (
    <Section title={eInvoiceTexts(($) => $.units)}>
      <Text size="sm">
        {eInvoiceTexts(($) => $.unitsHint)} <KnownUnits />
      </Text>
      {unitCodes.length > 0 && (
        <Stack gap="xs">
          <Titles />
          {unitCodes.map((unit, index) => (
            <Row key={unit.key} form={form} unit={unit} index={index} />
          ))}
        </Stack>
      )}
      <Group>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
          {eInvoiceTexts(($) => $.addUnit)}
        </Button>
      </Group>
    </Section>
  )
}

/** Adds the unit that a link names, and focuses its code: /settings/company?focus=unitCodes&unit=Palette. */
function useUnitFromUrl(form: SectionProps["form"]): void {
  const wanted = useWantedField()
  useEffect(() => {
    if (wanted !== "unitCodes") return
    const unit = new URLSearchParams(location.search).get("unit") ?? ""
    const { unitCodes } = form.getValues()
    const found = unitCodes.findIndex(({ word }) => word === unit)
    if (found < 0) form.insertListItem("unitCodes", unitRow(unit))
    const index = found < 0 ? unitCodes.length : found
    replaceParameters(["unit"], { focus: `unitCodes.${index}.${unit === "" ? "word" : "code"}` })
  }, [wanted])
}

const examples = eInvoiceTexts(($) => $.unitExamples).split(" ")

/** Some of the words whose codes are known. */
const KnownUnits = () =>
  examples.map((word, i) => (
    <span key={word}>
      {i > 0 && ", "}
      {word} = <code>{unitCodeOf(word, {})}</code>
    </span>
  ))

/** The titles above the inputs, which have their own labels for screen readers. */
const Titles = () => (
  <Group gap="xs" wrap="nowrap" maw={480} fz="sm" fw={600} aria-hidden>
    <Box flex={1}>{eInvoiceTexts(($) => $.word)}</Box>
    <Box flex={1}>{eInvoiceTexts(($) => $.code)}</Box>
    <Box w={36} />
  </Group>
)

type RowProps = SectionProps & { unit: UnitRow; index: number }

const Row = (props: RowProps) => (
  <Group gap="xs" align="start" wrap="nowrap" maw={480}>
    <WordInput {...props} />
    <CodeInput {...props} />
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={eInvoiceTexts(($) => $.removeUnit, { row: props.index + 1 })}
      onClick={() => props.form.removeListItem("unitCodes", props.index)}
    >
      <IconTrash size={18} />
    </ActionIcon>
  </Group>
)

/** A word of the shop. A word that is known needs no code, but may get another one. */
function WordInput({ form, unit, index }: RowProps) {
  const known = unit.word.trim() === "" ? null : unitCodeOf(unit.word, {})
  return (
    <TextInput
      flex={1}
      aria-label={eInvoiceTexts(($) => $.unitWord, { row: index + 1 })}
      description={known && eInvoiceTexts(($) => $.unitKnown, { code: known })}
      inputWrapperOrder={["label", "input", "description", "error"]}
      maxLength={20}
      onKeyDown={keepFromSubmitting}
      {...form.getInputProps(`unitCodes.${index}.word`)}
    />
  )
}

/** The code of a word. The server's error names the unit by its word. */
function CodeInput({ form, unit, index }: RowProps) {
  const input = form.getInputProps(`unitCodes.${index}.code`)
  return (
    <TextInput
      flex={1}
      aria-label={eInvoiceTexts(($) => $.unitCode, { row: index + 1 })}
      maxLength={20}
      autoComplete="off"
      spellCheck={false}
      {...input}
      error={(input.error ?? form.errors[`unitCodes.${unit.word.trim()}`]) as ReactNode}
      onChange={({ currentTarget }) =>
        form.setFieldValue(`unitCodes.${index}.code`, currentTarget.value.toUpperCase())
      }
    />
  )
}
