import { Alert, Anchor, Button, Group, Modal, Stack, Table, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Link, useLocation } from "wouter"
import { mergeRoles } from "../../../shared/rights"
import { call, messageOf } from "../../../console/api/client"
import { useChange, useMe, useRecord } from "../../../console/api/hooks"
import type { Customer, Kind } from "../../../console/api/types"
import { countryName } from "../../../console/forms/address-fields"
import { moment, money, number } from "../../../console/format"
import { kinds } from "../../../console/kinds"
import { BusyButton } from "../../../console/parts/busy-button"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { type MoreAction, TextAround } from "../../../console/parts/more-menu"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { CustomerPicker } from "../../../trade/page/pickers/customer-field"
import { t } from "../texts"

/** The action that merges a customer with another one, and its dialog, for those who may do that. */
export function useMerge(customer: Customer): { action: MoreAction | false; dialog: ReactNode } {
  const { role } = useMe()
  const [isOpen, setOpen] = useState(false)
  const isPossible = mergeRoles.includes(role) && customer.mergedInto === null
  return {
    action: isPossible && { label: t(($) => $.merge), onClick: () => setOpen(true) },
    dialog: isOpen && <MergeDialog customer={customer} onClose={() => setOpen(false)} />,
  }
}

type Props = { customer: Customer; onClose: () => void }

/** Chooses the other customer, shows both with what they have, and merges them after that. */
function MergeDialog({ customer, onClose }: Props) {
  useRestoreFocus()
  const [other, setOther] = useState<Customer | null>(null)
  const [isSwapped, setSwapped] = useState(false)
  const canSwap = customer.isActive && other?.isActive === true
  // The older one has the number that is known. Only an active customer can stay.
  const isOtherOlder = other !== null && other.createdAt < customer.createdAt
  const isOtherLeft = canSwap ? isOtherOlder !== isSwapped : !customer.isActive
  const pick = (picked: Customer) => setOther(picked.id === customer.id ? null : picked)
  return (
    <Modal opened onClose={onClose} title={t(($) => $.mergeTitle)} size="lg">
      <Stack>
        <CustomerPicker
          picked={other?.name ?? ""}
          onPick={pick}
          where={{ "mergedInto[null]": "true" }}
          inShort={({ address, email }) => [address?.city, email].filter(Boolean).join(" · ")}
          data-autofocus
        />
        {other && (
          <Question
            key={`${other.id} ${isOtherLeft}`}
            survivor={isOtherLeft ? other : customer}
            from={isOtherLeft ? customer : other}
            onSwap={canSwap ? () => setSwapped(!isSwapped) : null}
            onClose={onClose}
          />
        )}
      </Stack>
    </Modal>
  )
}

type QuestionProps = { survivor: Customer; from: Customer; onSwap: (() => void) | null; onClose: () => void }

function Question({ survivor, from, onSwap, onClose }: QuestionProps) {
  const [, go] = useLocation()
  const merging = useChange<string, Customer>((id) =>
    call("POST", `/customers/${survivor.id}/merge`, { body: { from: id } }),
  )
  const [error, setError] = useState<string | null>(null)
  const merge = () =>
    merging.mutate(from.id, {
      onSuccess: () => {
        tellDone(t(($) => $.merged, { from: from.name, survivor: survivor.name }))
        onClose()
        go(`${kinds.customers.path}/${survivor.id}`)
      },
      onError: (problem) => setError(messageOf(problem)),
    })
  return (
    <>
      <BothTable survivor={survivor} from={from} />
      <Text size="sm">{t(($) => $.mergeEffect, { from: nameOf(from), survivor: nameOf(survivor) })}</Text>
      <ErrorAlert message={error} />
      <Group justify="flex-end">
        {onSwap && (
          <Button variant="subtle" onClick={onSwap} mr="auto">
            {t(($) => $.swap)}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {common(($) => $.common.cancel)}
        </Button>
        <BusyButton color="red" isBusy={merging.isPending} onClick={merge}>
          {t(($) => $.mergeNow)}
        </BusyButton>
      </Group>
    </>
  )
}

const nameOf = ({ name, customerNumber }: Customer): string => `${name} (${customerNumber})`

/** The kinds of records that a merge moves. */
const moved = ["quotations", "sales-orders", "invoices", "credit-notes", "payments"] as const satisfies Kind[]

/** Both customers, side by side. */
function BothTable({ survivor, from }: Pick<QuestionProps, "survivor" | "from">) {
  const { currency } = useMe().company
  const rows: [string, (customer: Customer) => ReactNode][] = [
    [common(($) => $.common.name), ({ name }) => name],
    [common(($) => $.common.number), ({ customerNumber }) => customerNumber],
    [common(($) => $.fields.address), addressOf],
    [common(($) => $.common.email), ({ email }) => email],
    [common(($) => $.fields.phone), ({ phone }) => phone],
    [common(($) => $.common.taxId), ({ taxId }) => taxId],
    ...moved.map((kind): (typeof rows)[number] => [
      kinds[kind].title,
      ({ id }) => <Count kind={kind} customer={id} />,
    ]),
    [common(($) => $.fields.outstandingBalance), (each) => money(each.outstandingBalance, currency)],
    [common(($) => $.fields.creditBalance), (each) => money(each.creditBalance, currency)],
    [t(($) => $.since), ({ createdAt }) => moment(createdAt)],
  ]
  return (
    <Table verticalSpacing={4} layout="fixed" style={{ overflowWrap: "anywhere" }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" />
          <Table.Th scope="col">{t(($) => $.stays)}</Table.Th>
          <Table.Th scope="col">{t(($) => $.goes)}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([label, show]) => (
          <Table.Tr key={label}>
            <Table.Th scope="row" fw={400} c="dimmed">
              {label}
            </Table.Th>
            <Table.Td>{show(survivor) || "–"}</Table.Td>
            <Table.Td>{show(from) || "–"}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const addressOf = ({ address }: Customer): string =>
  address === null
    ? ""
    : [
        address.street,
        [address.zipCode, address.city].filter(Boolean).join(" "),
        countryName(address.country),
      ]
        .filter(Boolean)
        .join(", ")

/** The number of records of a customer. */
function Count({ kind, customer }: { kind: Kind; customer: string }) {
  const { data } = useQuery({
    queryKey: [kind, "count", customer],
    queryFn: async () =>
      (await call<unknown[]>("GET", `/${kind}?customer=${customer}&perPage=1&fields=id`)).meta?.total ?? 0,
  })
  return data === undefined ? "…" : number(data)
}

/** Tells on the page of a customer that was merged where everything is now. */
export function MergedNote({ into }: { into: string }) {
  const { data } = useRecord("customers", into)
  if (!data) return null
  return (
    <Alert role="note" color="blue">
      <TextAround text={(customer) => t(($) => $.wasMerged, { customer })}>
        <Anchor component={Link} href={`${kinds.customers.path}/${into}`} size="sm">
          {nameOf(data)}
        </Anchor>
      </TextAround>
    </Alert>
  )
}
