import type { ReactNode } from "react"
import { useRecord } from "../api/hooks"
import { SuggestInput } from "../forms/suggest-input"
import { t } from "../texts"
import { paymentTerms } from "./terms"

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
    <SuggestInput
      label={t(($) => $.fields.paymentTerms)}
      placeholder={own ?? t(($) => $.documents.terms.net30)}
      data={own ? [own, ...paymentTerms.filter((terms) => terms !== own)] : paymentTerms}
      maxLength={64}
      {...props}
    />
  )
}
