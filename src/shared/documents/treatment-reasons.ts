/** Why a treatment fits. */
export type TreatmentReason =
  "OTHER_EU_COUNTRY" | "EU_WITHOUT_VAT_ID" | "OUTSIDE_EU" | "ABROAD" | "SAME_COUNTRY"

/** The same in English, with the name of the country of the customer. */
export const treatmentReasons: Readonly<Record<TreatmentReason, string>> = {
  OTHER_EU_COUNTRY:
    "{{country}} is another country of the EU, and the customer has a VAT ID: goods go there without VAT, as an intra-Community supply.",
  EU_WITHOUT_VAT_ID:
    "{{country}} is in the EU, so nothing is exported, and a customer without a VAT ID pays VAT.",
  OUTSIDE_EU: "{{country}} is outside the EU: goods go there without VAT, as an export.",
  ABROAD: "{{country}} is abroad: goods go there without VAT, as an export.",
  SAME_COUNTRY: "{{country}} is the country of the company: its customers pay VAT.",
}
