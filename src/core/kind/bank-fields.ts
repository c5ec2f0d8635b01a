import { errorOfIban, isBic, tidyBankCode } from "../../shared/iban"
import { text } from "./text-field"

/** The account number of a bank account, stored without spaces. */
export const iban = () =>
  text({
    max: 42,
    isCode: true,
    examples: ["DE89370400440532013000"],
    description: "Stored without spaces",
    check: (value) => {
      const error = errorOfIban(tidyBankCode(value))
      return error === null ? { value: tidyBankCode(value) } : { error, format: "iban" }
    },
  })

/** The code of a bank, stored without spaces. */
export const bic = () =>
  text({
    max: 16,
    isCode: true,
    examples: ["COBADEFFXXX"],
    check: (value) =>
      isBic(tidyBankCode(value))
        ? { value: tidyBankCode(value) }
        : { error: "must be a BIC of 8 or 11 characters", format: "bic" },
  })
