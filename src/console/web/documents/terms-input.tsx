import { Autocomplete } from "@mantine/core"
import type { ReactNode } from "react"
import { useRecord } from "../api/hooks"

const usual = ["Due on receipt", "Net 7", "Net 14", "Net 30", "Net 60", "EOM"]

type Props = {
  customer: string
  value?: string
  onChange: (value: string) => void
  error?: ReactNode
}

/** When to pay: the customer's own terms first, or any other. */
export function TermsInput({ customer, ...props }: Props) {
  const { data } = useRecord("customers", customer)
  const own = data?.paymentTerms
  return (
    <Autocomplete
      label="Payment terms"
      placeholder={own ?? "Net 30"}
      data={own ? [own, ...usual.filter((terms) => terms !== own)] : usual}
      maxLength={64}
      filter={({ options }) => options}
      {...props}
    />
  )
}
