import { Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { IconChevronDown, IconChevronRight } from "../../console/parts/icons"
import { useEffect, useId, useState, type ReactNode } from "react"
import { AddressFields } from "../../console/forms/address-fields"
import { useWantedField } from "../../console/forms/use-focus-from-url"
import { t } from "../../console/texts"
import { addressLines } from "./address"
import type { DocumentValues } from "./document-values"

type Props = { form: UseFormReturnType<DocumentValues>; supplyDate?: ReactNode }

/** The inputs that few documents need. They are shown on request, or if one of them has an error or is named by the URL. */
export function DocumentDetails({ form, supplyDate }: Props) {
  const id = useId()
  const [isWanted, setWanted] = useState(false)
  const field = useWantedField() ?? ""
  useEffect(() => {
    if (detail.test(field)) setWanted(true)
  }, [field])
  const isOpen = isWanted || Object.keys(form.errors).some((field) => detail.test(field))
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div>
      <Group gap="xs" mt="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Chevron size={16} />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setWanted(!isOpen)}
        >
          {t(($) => $.documents.more)}
        </Button>
        {!isOpen && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {inShort(form.values)}
          </Text>
        )}
      </Group>
      <Stack id={id} gap="sm" mt={isOpen ? "sm" : 0}>
        {isOpen && <DetailFields form={form} supplyDate={supplyDate} />}
      </Stack>
    </div>
  )
}

const DetailFields = ({ form, supplyDate }: Props) => (
  <>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {supplyDate}
      <TextInput
        label={t(($) => $.fields.buyerReference)}
        description={t(($) => $.documents.buyerReferenceHint)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        maxLength={100}
        {...form.getInputProps("buyerReference")}
      />
    </SimpleGrid>
    <AddressFields legend={t(($) => $.fields.shippingAddress)} name="shippingAddress" form={form} />
  </>
)

const detail = /^(supplyDate|buyerReference|shippingAddress)\b/

const inShort = ({ buyerReference, shippingAddress }: DocumentValues): string =>
  [buyerReference, addressLines(shippingAddress).join(", ")].filter(Boolean).join(" · ")
