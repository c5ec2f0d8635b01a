import { Fieldset, Select, SimpleGrid, Textarea, TextInput } from "@mantine/core"
import { taxTreatments } from "../../../shared/tax"
import { t } from "../../../console/texts"
import type { CustomerFormValues } from "./customer-form"

const choices = taxTreatments.map((value) => ({ value, label: t(($) => $.values.taxTreatment[value]) }))

/** How sales to the customer are taxed. */
export function TaxFieldset({ form }: { form: CustomerFormValues }) {
  const { taxTreatment } = form.values
  return (
    <Fieldset legend={t(($) => $.customers.tax)}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t(($) => $.fields.taxTreatment)}
          description={t(($) => $.values.taxTreatmentMeaning[taxTreatment])}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={choices}
          allowDeselect={false}
          {...form.getInputProps("taxTreatment")}
        />
        <TextInput label={t(($) => $.common.taxId)} {...form.getInputProps("taxId")} />
      </SimpleGrid>
      {taxTreatment === "exempt" && (
        <Textarea
          label={t(($) => $.fields.taxReason)}
          description={t(($) => $.customers.taxReasonHint)}
          mt="md"
          required
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps("taxReason")}
        />
      )}
    </Fieldset>
  )
}
