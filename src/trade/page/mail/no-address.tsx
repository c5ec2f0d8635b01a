import { Anchor } from "@mantine/core"
import { Link } from "wouter"
import { problemText } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import type { Customer } from "../../../console/api/types"
import { isWithoutAddress } from "./preview"
import { t } from "./texts"

type Props = { customer: Customer["id"]; name: string }

/** Says that a customer has no email address, with a link to where it is entered. */
export function NoAddress({ customer, name }: Props) {
  const mayWrite = useMay()("customers", "write")
  return (
    <>
      {t(($) => $.noAddress, { customer: name })}{" "}
      {mayWrite && (
        <Anchor component={Link} href={`/customers/${customer}?focus=email`} inherit underline="always">
          {t(($) => $.addAddress)}
        </Anchor>
      )}
    </>
  )
}

type ProblemProps = Props & { problem: Parameters<typeof problemText>[0] }

/** Why a document could not be issued or sent by itself. */
export const SendingProblem = ({ problem, ...of }: ProblemProps) =>
  isWithoutAddress(problem) ? <NoAddress {...of} /> : problemText(problem)
