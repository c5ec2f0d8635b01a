import { useSearchParams } from "wouter"
import { useRecord } from "../api/hooks"
import { t } from "../texts"

/** Describes the customer filter in the URL by the customer's name. */
export function useCustomerInWords() {
  const [params] = useSearchParams()
  const { data } = useRecord("customers", params.get("customer"))
  return (name: string) =>
    name === "customer" && data ? t(($) => $.lists.filter.customer, { name: data.name }) : undefined
}
