import { useSearchParams } from "wouter"
import { useRecord } from "../api/hooks"

/** Names the customer whose documents the address asks for. */
export function useCustomerInWords() {
  const [params] = useSearchParams()
  const { data } = useRecord("customers", params.get("customer"))
  return (name: string) => (name === "customer" && data ? `Customer: ${data.name}` : undefined)
}
