import { Alert, Button, Group, Stack, Text } from "@mantine/core"
import type { Settings } from "../../../console/api/types"
import { t } from "../../../console/texts"
import { splitAddress } from "./split-address"
import type { SectionProps } from "./values"

type Values = SectionProps["form"]["values"]
/** A value of an older field, and the fields to which it can be moved. */
type Older = { text: string; moves: { label: string; to: string; values: Partial<Values> }[] }

/** The address and the tax ID from before there were fields for them, as long as documents show them. */
export function OlderData({ form, settings }: SectionProps & { settings: Settings }) {
  const found = olderIn(form.values, settings)
  if (found.length === 0) return null
  return (
    <Alert title={t(($) => $.company.olderTitle)} color="gray">
      <Stack gap="sm" align="start">
        <Text size="sm">{t(($) => $.company.olderText)}</Text>
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
        label: t(($) => $.company.moveAddress),
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
        t(($) => $.company.useAsVatId),
      ),
      useTaxId(
        "taxNumber",
        t(($) => $.company.useAsTaxNumber),
      ),
    ],
  }
  return [address, taxId].filter(({ text }) => text !== "")
}
