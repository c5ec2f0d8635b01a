import { Fieldset, Select, SimpleGrid, Textarea, TextInput } from "@mantine/core"
import { taxTreatments } from "../../../shared/tax"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import type { CustomerFormValues } from "./customer-form"

const choices = taxTreatments.map((value) => ({ value, label: common(($) => $.values.taxTreatment[value]) }))

/** How sales to the customer are taxed. */
export function TaxFieldset({ form }: { form: CustomerFormValues }) {
  const { taxTreatment } = form.values
  return (
    <Fieldset legend={t(($) => $.tax)}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={common(($) => $.fields.taxTreatment)}
          description={common(($) => $.values.taxTreatmentMeaning[taxTreatment])}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={choices}
          allowDeselect={false}
          {...form.getInputProps("taxTreatment")}
        />
        <TextInput label={common(($) => $.common.taxId)} {...form.getInputProps("taxId")} />
      </SimpleGrid>
      {taxTreatment === "exempt" && (
        <Textarea
          label={common(($) => $.fields.taxReason)}
          description={t(($) => $.taxReasonHint)}
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
