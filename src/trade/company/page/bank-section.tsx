import { SimpleGrid, Text, TextInput } from "@mantine/core"
import { Section } from "../../../console/parts/section"
import { t } from "../../../console/texts"
import { IbanInput } from "./iban-input"
import type { SectionProps } from "./values"

/** Where customers pay. */
export const BankSection = ({ form }: SectionProps) => (
  <Section title={t(($) => $.company.bank)}>
    <Text size="sm" c="dimmed">
      {t(($) => $.company.bankHint)}
    </Text>
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <IbanInput {...form.getInputProps("iban")} />
      <TextInput label={t(($) => $.fields.bic)} autoComplete="off" {...form.getInputProps("bic")} />
      <TextInput label={t(($) => $.fields.bankName)} {...form.getInputProps("bankName")} />
    </SimpleGrid>
  </Section>
)
