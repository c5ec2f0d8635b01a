import { Group, Stack, Text } from "@mantine/core"
import { IconCircleCheck } from "../../../console/parts/icons"
import { eInvoiceHintOf } from "../../../shared/countries"
import { tidyBankCode } from "../../../shared/iban"
import { lacksOfSeller, type EInvoiceSeller } from "../../../shared/documents/e-invoice"
import { useMe } from "../../../console/api/hooks"
import { type Missing, MissingList } from "../../page/papers/missing-list"
import { useLacksTaxCodes } from "../../page/lines/tax-codes"
import { countryName, date } from "../../../console/format"
import { Section } from "../../../console/parts/page"
import { t as eInvoiceTexts } from "../../page/papers/e-invoice-texts"
import type { SectionProps } from "./values"

type Values = SectionProps["form"]["values"]

/** What the country of the company asks for, and what the company lacks for e-invoices. */
export function EInvoiceSection({ form: { values } }: SectionProps) {
  const taxCodes = lacksOfTaxCodes(useLacksTaxCodes(), values)
  const { country } = values.address
  const { businesses, publicSector } = eInvoiceHintOf(country)
  return (
    <Section title={eInvoiceTexts(($) => $.company)}>
      <Country code={country} />
      {businesses === "qr-bill" && <Standard name="qrBill" missing={lacksForQrBill(values)} />}
      <Standard
        name="en16931"
        hint={eInvoiceTexts(($) => $.companyHint)}
        missing={[...lacksOf(values, "en16931"), ...taxCodes]}
      />
      {publicSector === "xrechnung" && <Standard name="xrechnung" missing={moreForXrechnung(values)} />}
    </Section>
  )
}

function Country({ code }: { code: string | null }) {
  if (!code) return <Text size="sm">{eInvoiceTexts(($) => $.noCountry)}</Text>
  const { businesses, publicSector } = eInvoiceHintOf(code)
  const isByPeppol = businesses === "peppol-ubl" || publicSector === "peppol-ubl"
  return (
    <div>
      <Text size="sm" fw={600}>
        {eInvoiceTexts(($) => $.inCountry, { country: countryName(code) ?? code })}
      </Text>
      <Text size="sm">
        {eInvoiceTexts(($) => $.betweenBusinesses)}: {eInvoiceTexts(($) => $.way[businesses])}{" "}
        <Duty country={code} />
      </Text>
      <Text size="sm">
        {eInvoiceTexts(($) => $.forPublic)}: {eInvoiceTexts(($) => $.way[publicSector])}
      </Text>
      {isByPeppol && <Text size="sm">{eInvoiceTexts(($) => $.peppol)}</Text>}
    </div>
  )
}

/** From when businesses must send e-invoices, and what else there is to know. */
function Duty({ country }: { country: string }) {
  const { today } = useMe().company
  const { dutyFrom } = eInvoiceHintOf(country)
  const notes: Record<string, string> = eInvoiceTexts(($) => $.note, { returnObjects: true })
  // Not all French businesses have the duty from the same day.
  if (country === "FR") return notes[country]
  return (
    <>
      {dutyFrom &&
        eInvoiceTexts(($) => (dutyFrom <= today ? $.dutySince : $.dutyFrom), {
          date: date(dutyFrom),
        })}{" "}
      {notes[country]}
    </>
  )
}

/** Each line needs a tax code. One without its own has the default. */
function lacksOfTaxCodes(isWithout: boolean, { defaultTaxCode }: Values): Missing[] {
  if (isWithout) return [{ field: "taxCodes", rule: "BR-CO-04" }]
  return defaultTaxCode === "" ? [{ field: "seller.defaultTaxCode", rule: "BR-CO-04" }] : []
}

type Profile = "en16931" | "xrechnung"

/** Returns what the company lacks for an invoice with tax. */
const lacksOf = (values: Values, profile: Profile): Missing[] =>
  lacksOfSeller(sellerOf(values), { profile, categories: ["S"], isCreditNote: false }).map(
    ({ field, rule }) => ({ field: `seller.${field}`, rule }),
  )

/** What XRechnung requires, but EN 16931 does not. */
function moreForXrechnung(values: Values): Missing[] {
  const common = new Set(lacksOf(values, "en16931").map(({ rule }) => rule))
  return lacksOf(values, "xrechnung").filter(({ rule }) => !common.has(rule))
}

/** What the company lacks for the payment part of Swiss invoices. */
function lacksForQrBill({ companyName, legalName, address, iban }: Values): Missing[] {
  const given = {
    legalName: legalName || companyName,
    "address.street": address.street,
    "address.zipCode": address.zipCode,
    "address.city": address.city,
    iban: /^(CH|LI)/.test(tidyBankCode(iban)) ? iban : "",
  }
  return Object.entries(given)
    .filter(([, value]) => !value?.trim())
    .map(([field]) => ({ field: `qrBill.${field}` }))
}

type StandardProps = { name: Profile | "qrBill"; hint?: string; missing: Missing[] }

/** What the company lacks for one standard, or that nothing is missing. */
const Standard = ({ name, hint, missing }: StandardProps) => (
  <Stack gap={4}>
    <Text size="sm" fw={600}>
      {eInvoiceTexts(($) => $.standard[name])}
    </Text>
    {hint && <Text size="sm">{hint}</Text>}
    {missing.length === 0 ? (
      <Group gap={6} wrap="nowrap">
        <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
        <Text size="sm">{eInvoiceTexts(($) => $.complete)}</Text>
      </Group>
    ) : (
      <MissingList
        missing={missing}
        hrefOf={({ field }) =>
          field === "taxCodes"
            ? "/settings/tax-codes"
            : `/settings/company?focus=${field.replace(/^(seller|qrBill)\./, "")}`
        }
      />
    )}
  </Stack>
)

/** The company as documents would be issued with it. The older fields are used where the newer ones are empty. */
const sellerOf = (values: Values): EInvoiceSeller => ({
  ...values,
  legalName: values.legalName || values.companyName,
  vatId: values.vatId || values.companyTaxId,
})
