import { Code, SimpleGrid, Table, Text, TextInput } from "@mantine/core"
import type { ReactNode } from "react"
import type { NumberSeries } from "../../../office/settings/numbers"
import { errorOfFormat } from "../../../shared/number-format"
import { useMe, useRead } from "../../../console/api/hooks"
import type { Settings } from "../../../console/api/types"
import { inSentence } from "../../../console/texts/fields"
import { fieldMessage } from "../../../console/forms/field-errors"
import { NumberField } from "../../../console/forms/number-field"
import { Section } from "../../../console/parts/page"
import { t } from "./texts"
import {
  comingNumber,
  numberKinds,
  numberName,
  sharedWith,
  storedFormats,
  type NumberKind,
} from "./numbering"
import type { SectionProps } from "./values"

type Props = SectionProps & { settings: Settings }

/** How the numbers of records are written, with the next number of each kind. */
export function NumberSection({ form, settings }: Props) {
  const { data: series = [] } = useRead<NumberSeries[]>("/settings/number-series")
  return (
    <Section title={t(($) => $.numbers)}>
      <Text size="sm">{t(($) => $.numbersHint)}</Text>
      <Tokens />
      {numberKinds.map((kind) => (
        <KindFields key={kind} kind={kind} form={form} settings={settings} series={series} />
      ))}
    </Section>
  )
}

const tokens = [
  ["{YYYY}", t(($) => $.token.YYYY)],
  ["{YY}", t(($) => $.token.YY)],
  ["{MM}", t(($) => $.token.MM)],
  ["{#####}", t(($) => $.token.counter)],
] as const

/** The parts of a number format. */
export const Tokens = () => (
  <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing="xs" w="auto">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t(($) => $.tokenPart)}</Table.Th>
        <Table.Th>{t(($) => $.tokenMeaning)}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {tokens.map(([token, meaning]) => (
        <Table.Tr key={token}>
          <Table.Td>
            <Code>{token}</Code>
          </Table.Td>
          <Table.Td>{meaning}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

/** The name of the number format of a kind. */
export const formatName = (kind: NumberKind): string => t(($) => $.format, { number: numberName(kind) })

const below = ["label", "input", "description", "error"] as ("label" | "input" | "description" | "error")[]

/** The format of one kind, and its first counter as long as the series is empty. */
export function KindFields({
  kind,
  form,
  settings,
  series,
}: Props & { kind: NumberKind; series: NumberSeries[] }) {
  const { today } = useMe().company
  const start = form.getInputProps(`numberStarts.${kind}`)
  const format = form.getInputProps(`numberFormats.${kind}`)
  const coming = comingNumber({
    kind,
    format: storedFormats(form.values.numberFormats)[kind],
    start: form.values.numberStarts[kind],
    storedStart: settings.numberStarts[kind],
    series,
    today,
  })
  const number = coming.number ?? "–"
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={formatName(kind)}
        description={t(($) => $.nextNumber, { number })}
        inputWrapperOrder={below}
        autoComplete="off"
        spellCheck={false}
        {...format}
        error={problemOf(kind, form) ?? (format.error as ReactNode)}
      />
      {(coming.isEmpty || Boolean(start.error)) && (
        <NumberField
          label={t(($) => $.start, { number: inSentence(numberName(kind)) })}
          description={t(($) => $.startHint)}
          inputWrapperOrder={below}
          {...start}
          value={coming.start}
        />
      )}
    </SimpleGrid>
  )
}

/** Returns what is wrong with a format before it is saved. */
function problemOf(kind: NumberKind, { values }: SectionProps["form"]): string | null {
  const formats = storedFormats(values.numberFormats)
  const message = errorOfFormat(formats[kind])
  if (message !== null)
    return fieldMessage({ field: kind, code: "FORMAT", message, params: { format: "number-format" } })
  const shared = sharedWith(kind, formats)
  return shared && t(($) => $.sharedFormat, { other: formatName(shared) })
}
