import { expect, test } from "bun:test"
import { isBic, isIban, tidyBankCode } from "./iban"

test.each([
  ["DE89 3704 0044 0532 0130 00", true],
  ["gb82 west 1234 5698 7654 32", true],
  ["FR14 2004 1010 0505 0001 3M02 606", true],
  ["NO93 8601 1117 947", true],
  ["DE88 3704 0044 0532 0130 00", false],
  ["DE89 3704 0044 0532 0103 00", false],
  ["8937 0400 4405 3201 3000", false],
  ["DE89", false],
])("the IBAN %s is valid: %p", (iban, expected) => {
  expect(isIban(tidyBankCode(iban))).toBe(expected)
})

test.each([
  ["cobadeff", true],
  ["COBADEFF XXX", true],
  ["COBADEFFXX", false],
  ["COBADEF", false],
  ["C0BADEFF", false],
])("the BIC %s is valid: %p", (bic, expected) => {
  expect(isBic(tidyBankCode(bic))).toBe(expected)
})
