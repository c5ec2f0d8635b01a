/** The forms of an e-invoice. Their names are the same in all languages. */
export const xmlForms = [
  { format: "cii", profile: "en16931", name: "CII" },
  { format: "ubl", profile: "en16931", name: "UBL" },
  { format: "cii", profile: "xrechnung", name: "XRechnung, CII" },
  { format: "ubl", profile: "xrechnung", name: "XRechnung, UBL" },
] as const
