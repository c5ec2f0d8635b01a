import { Alert, Button, Group, Text } from "@mantine/core"
import { betterTreatment, countryOfCustomer } from "../../../shared/documents/treatment"
import type { TaxTreatment } from "../../../shared/documents/tax"
import { problemOfVatId } from "../../../shared/documents/vat-ids"
import { useMe } from "../../../console/api/hooks"
import type { AddressValues } from "../../../console/forms/address-fields"
import { countryName } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { treatmentReason } from "../../../console/texts/errors"
import { t } from "../texts"
import { Note } from "../view/note"

type VatIdProps = {
  taxId: string
  country: string | null
  /** Takes the VAT ID with the code of its country. */
  onTaxId: (taxId: string) => void
}

/** Says that a VAT ID cannot be right. */
export function VatIdNote({ taxId, country, onTaxId }: VatIdProps) {
  const { taxCountry } = useMe().company
  const place = countryOfCustomer({ country, taxId })
  const found = problemOfVatId(taxId, place === taxCountry ? null : place)
  return (
    <div role="status">
      {found && (
        <>
          <Note>
            {t(($) => $.pickers.vatId[found.problem], {
              country: countryName(found.country),
              example: found.example,
            })}
          </Note>
          {found.problem === "PREFIX" && (
            <Button size="compact-xs" variant="light" mt={4} onClick={() => onTaxId(found.example)}>
              {t(($) => $.pickers.takeVatId, { taxId: found.example })}
            </Button>
          )}
        </>
      )}
    </div>
  )
}

type ProposalProps = {
  taxId: string
  country: string | null
  /** The country of the shipping address, if there is one. */
  shipsTo?: string | null
  taxTreatment: TaxTreatment
  onAccept: (taxTreatment: TaxTreatment) => void
}

/** Proposes the treatment that fits a customer, with the reason. One click accepts it. */
export function TreatmentProposal({ taxId, country, shipsTo = null, taxTreatment, onAccept }: ProposalProps) {
  const { taxCountry } = useMe().company
  const found = betterTreatment(taxCountry, { taxId, country, shipsTo }, taxTreatment)
  return (
    <div role="status">
      {found && (
        <Alert color="blue" p="xs" mt="xs">
          <Group justify="space-between" gap="xs">
            <Text size="sm" style={{ flex: "1 1 260px" }}>
              {treatmentReason(found.reason, found.country)}
            </Text>
            <Button size="xs" onClick={() => onAccept(found.proposed)}>
              {t(($) => $.pickers.takeTreatment, {
                treatment: common(($) => $.values.taxTreatment[found.proposed]),
              })}
            </Button>
          </Group>
        </Alert>
      )}
    </div>
  )
}

/**
 * Returns the country of an address that is being typed. The country of the company, which new addresses begin with, says
 * nothing while nothing else is typed.
 */
export const typedCountry = (
  { country, ...rest }: AddressValues,
  companyCountry: string | null,
): string | null => (country === companyCountry && !Object.values(rest).some(Boolean) ? null : country)
