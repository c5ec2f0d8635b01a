import type { TaxCategory } from "../../../shared/tax"
import type { Missing, Paper, PaperLine } from "../model"
import { namesOf } from "./content"
import { isBlank, missingIf } from "./report"
import { isUnitCode } from "../../../shared/unit-codes"

/** The rules about rates, by category. */
const rateRules: Record<TaxCategory, string> = {
  S: "BR-S-05",
  Z: "BR-Z-05",
  E: "BR-E-05",
  AE: "BR-AE-05",
  K: "BR-IC-05",
  G: "BR-G-05",
  O: "BR-O-05",
}

/** Returns what is wrong with the lines of a document: names, units and tax. */
export function wrongLines(paper: Paper): Missing[] {
  const { lines, taxes } = paper
  const isMixed = new Set(lines.map(({ taxCategory }) => taxCategory === "O")).size > 1
  const hasReason = new Map(taxes.map(({ category, reason }) => [category, !isBlank(reason)]))
  return lines.flatMap((line, i) => [
    ...wrongLine(line, `items[${i}]`),
    ...missingIf(
      isMixed && line.taxCategory === "O",
      `items[${i}].taxCode`,
      "BR-O-11",
      "A line that is not subject to tax cannot be in one e-invoice with others: put it into a document of its own.",
    ),
    ...missingIf(
      line.taxCategory === "E" && hasReason.get("E") !== true,
      `items[${i}].taxCode`,
      "BR-E-10",
      "The line is exempt from tax without a reason: enter the reason in the tax code or in the customer.",
    ),
  ])
}

function wrongLine(line: PaperLine, at: string): Missing[] {
  const { itemName, description, uom, unitCode, isAmount } = line
  return [
    ...missingIf(
      namesOf(itemName, description).name === null,
      `${at}.description`,
      "BR-25",
      "The line has no name: enter a description.",
    ),
    ...missingIf(
      !isAmount && (unitCode === null || !isUnitCode(unitCode)),
      `${at}.uom`,
      "BR-CL-23",
      `The unit "${uom}" has no UN/ECE code: add it to the unit codes in the settings.`,
    ),
    ...wrongTax(line, `${at}.taxCode`),
  ]
}

function wrongTax({ taxCategory, taxRate }: PaperLine, field: string): Missing[] {
  if (taxCategory === null)
    return [
      {
        field,
        rule: "BR-CO-04",
        message: "The line has no tax category, because it has no tax code: choose one.",
      },
    ]
  if (taxCategory === "S")
    return missingIf(taxRate <= 0, field, rateRules.S, "The standard category needs a rate above 0 %.")
  return missingIf(taxRate !== 0, field, rateRules[taxCategory], `The rate of ${taxCategory} must be 0 %.`)
}
