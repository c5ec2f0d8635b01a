import { Autocomplete } from "@mantine/core"
import type { ReactNode } from "react"
import { paymentTerms } from "../../../shared/terms"
import { useRecord } from "../api/hooks"
import { t } from "../texts"

type Props = {
  customer: string
  value?: string
  onChange: (value: string) => void
  error?: ReactNode
}

/** The payment terms. The customer's own terms are the first option. */
export function TermsInput({ customer, ...props }: Props) {
  const { data } = useRecord("customers", customer)
  const own = data?.paymentTerms
  return (
    <Autocomplete
      label={t(($) => $.fields.paymentTerms)}
      placeholder={own ?? "Net 30"}
      data={own ? [own, ...paymentTerms.filter((terms) => terms !== own)] : paymentTerms}
      maxLength={64}
      filter={({ options }) => options}
      {...props}
    />
  )
}
