import type { ReactNode } from "react"
import { useSearchParams } from "wouter"
import { useRecord } from "../../console/api/hooks"
import type { Customer } from "../../console/api/types"
import { Page } from "../../console/parts/page"

type Props = {
  title: string
  parent: { title: string; href: string }
  children: (customer: Customer | undefined) => ReactNode
}

/** The page of a new document, for the customer in the URL if there is one. */
export function NewDocument({ title, parent, children }: Props) {
  const [params] = useSearchParams()
  const wanted = params.get("customer")
  const customer = useRecord("customers", wanted)
  return (
    <Page title={title} parent={parent}>
      {/* If the customer is not found, the picker is empty. This needs no error. */}
      {(!wanted || !customer.isPending) && children(customer.data)}
    </Page>
  )
}
