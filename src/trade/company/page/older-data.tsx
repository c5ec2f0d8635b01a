import { Alert, Button, Group, Stack, Text } from "@mantine/core"
import type { Settings } from "../../../console/api/types"
import { t } from "./texts"
import type { SectionProps } from "./values"
import { countryOptions } from "../../../console/forms/address-fields"

type Values = SectionProps["form"]["values"]
/** A value of an older field, and the fields to which it can be moved. */
type Older = { text: string; moves: { label: string; to: string; values: Partial<Values> }[] }

/** The address and the tax ID from before there were fields for them, as long as documents show them. */
export function OlderData({ form, settings }: SectionProps & { settings: Settings }) {
  const found = olderIn(form.values, settings)
  if (found.length === 0) return null
  return (
    <Alert title={t(($) => $.olderTitle)} color="gray">
      <Stack gap="sm" align="start">
        <Text size="sm">{t(($) => $.olderText)}</Text>
        {found.map(({ text, moves }) => (
          <Stack key={text} gap="xs">
            <Text size="sm" fw={600} style={{ whiteSpace: "pre-line" }}>
              {text}
            </Text>
            <Group gap="xs">
              {moves.map(({ label, to, values }) => (
                <Button
                  key={to}
                  size="xs"
                  variant="default"
                  onClick={() => {
                    form.setValues(values)
                    // The button disappears, and the user checks the fields next.
                    form.getInputNode(to)?.focus()
                  }}
                >
                  {label}
                </Button>
              ))}
            </Group>
          </Stack>
        ))}
      </Stack>
    </Alert>
  )
}

function olderIn({ companyAddress, companyTaxId }: Values, settings: Settings): Older[] {
  const address: Older = {
    text: settings.address === null ? companyAddress : "",
    moves: [
      {
        label: t(($) => $.moveAddress),
        to: "address.street",
        values: { address: splitAddress(companyAddress), companyAddress: "" },
      },
    ],
  }
  const useTaxId = (to: "vatId" | "taxNumber", label: string) => ({
    label,
    to,
    values: { [to]: companyTaxId, companyTaxId: "" },
  })
  const taxId: Older = {
    text: settings.vatId === null ? companyTaxId : "",
    moves: [
      useTaxId(
        "vatId",
        t(($) => $.useAsVatId),
      ),
      useTaxId(
        "taxNumber",
        t(($) => $.useAsTaxNumber),
      ),
    ],
  }
  return [address, taxId].filter(({ text }) => text !== "")
}

/** A line with a postal code and a place: 20457 Hamburg, D-20457 Hamburg, 1017 AB Amsterdam. */
const placeLine = /^(?:[A-Z]{1,3}-)?(\d{4} ?[A-Z]{2}|\d{3} \d{2}|\d{4,6})\s+(.+)$/

/** Splits an address that was typed as one text. Lines that are not understood stay in the street. */
function splitAddress(text: string) {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
  const country = lines.length > 1 ? countryOf(lines.at(-1) ?? "") : null
  if (country !== null) lines.pop()
  const at = lines.findIndex((line) => placeLine.test(line))
  const [, zipCode = "", city = ""] = placeLine.exec(lines[at] ?? "") ?? []
  const street = lines.filter((_, i) => i !== at).join(", ")
  return { street, zipCode, city, state: "", country }
}

/** Returns the code of a country by its code or its name in the user's language. */
function countryOf(text: string): string | null {
  const typed = text.toLowerCase()
  const found = countryOptions.find(
    ({ value, label }) => value.toLowerCase() === typed || label.toLowerCase() === typed,
  )
  return found?.value ?? null
}
