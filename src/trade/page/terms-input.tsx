import type { ReactNode } from "react"
import { useMe, useRecord } from "../../console/api/hooks"
import { SuggestInput } from "../../console/forms/suggest-input"
import { t } from "../../console/texts"
import { paymentTerms } from "./terms"

type Props = {
  customer: string
  /** True for a new document. The server gives it the usual terms if the field is empty. */
  isNew: boolean
  value?: string
  onChange: (value: string) => void
  error?: ReactNode
}

/** The payment terms. The customer's own terms are the first option. */
export function TermsInput({ customer, isNew, ...props }: Props) {
  const { defaultPaymentTerms } = useMe().company
  const { data } = useRecord("customers", customer)
  const own = data?.paymentTerms
  return (
    <SuggestInput
      label={t(($) => $.fields.paymentTerms)}
      placeholder={(isNew && (own ?? defaultPaymentTerms)) || t(($) => $.documents.noTerms)}
      data={own ? [own, ...paymentTerms.filter((terms) => terms !== own)] : paymentTerms}
      maxLength={64}
      {...props}
    />
  )
}
