import { Anchor, Badge, Paper, Table, Text, Title } from "@mantine/core"
import { useInfiniteQuery } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import type { Delivery, Webhook } from "../../../console/api/types"
import { moment, number } from "../../../console/format"
import { More } from "../../../console/lists/list-body"
import { Loaded } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

/** Webhooks and their deliveries have no events, so the page asks for news, in ms. */
export const readEvery = 10_000

const colours: Record<Delivery["status"], string> = {
  succeeded: "teal",
  pending: "orange",
  failed: "red",
  uncertain: "gray",
}

export const DeliveryBadge = ({ status }: Pick<Delivery, "status">) => (
  <Badge color={colours[status]} variant="light" tt="none" fw={600}>
    {t(($) => $.deliveryStates[status])}
  </Badge>
)

const useDeliveries = ({ id }: Webhook) =>
  useInfiniteQuery({
    queryKey: ["webhooks", id, "deliveries"],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ perPage: "10" })
      if (pageParam) query.set("cursor", pageParam)
      return call<Delivery[]>("GET", `/webhooks/${id}/deliveries?${query}`, { signal })
    },
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta?.nextCursor ?? undefined,
    refetchInterval: readEvery,
  })

type Props = { webhook: Webhook; onShow: (delivery: Delivery) => void }

/** What was sent to a webhook, newest first. */
export function Deliveries({ webhook, onShow }: Props) {
  const query = useDeliveries(webhook)
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="deliveries">
      <Title order={2} size="h4" mb="sm" id="deliveries">
        {t(($) => $.deliveries)}
      </Title>
      <Loaded query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data)
          if (rows.length === 0) return <Text c="dimmed">{t(($) => $.noDeliveries)}</Text>
          return (
            <>
              <DeliveryTable rows={rows} onShow={onShow} />
              <More shown={rows.length} total={pages[0]?.meta?.total ?? rows.length} list={query} />
            </>
          )
        }}
      </Loaded>
    </Paper>
  )
}

type TableProps = { rows: Delivery[]; onShow: (delivery: Delivery) => void }

const DeliveryTable = ({ rows, onShow }: TableProps) => (
  <Table>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t(($) => $.time)}</Table.Th>
        <Table.Th>{t(($) => $.event)}</Table.Th>
        <Table.Th>{common(($) => $.common.status)}</Table.Th>
        <Table.Th visibleFrom="sm">{t(($) => $.answer)}</Table.Th>
        <Table.Th visibleFrom="sm">{t(($) => $.attempts)}</Table.Th>
        <Table.Th visibleFrom="md">{t(($) => $.nextAttempt)}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} onShow={onShow} />
      ))}
    </Table.Tbody>
  </Table>
)

type RowProps = { delivery: Delivery; onShow: (delivery: Delivery) => void }

const DeliveryRow = ({ delivery, onShow }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <Anchor
        component="button"
        type="button"
        inherit
        ta="left"
        aria-label={`${moment(delivery.updatedAt)}, ${delivery.type}`}
        onClick={() => onShow(delivery)}
      >
        {moment(delivery.updatedAt)}
      </Anchor>
    </Table.Td>
    <Table.Td style={{ overflowWrap: "break-word" }}>
      <TypeName of={delivery.type} />
    </Table.Td>
    <Table.Td>
      <DeliveryBadge status={delivery.status} />
    </Table.Td>
    <Table.Td visibleFrom="sm">{delivery.responseStatus ?? "–"}</Table.Td>
    <Table.Td visibleFrom="sm">{number(delivery.attempts)}</Table.Td>
    <Table.Td visibleFrom="md">{delivery.nextAttemptAt ? moment(delivery.nextAttemptAt) : "–"}</Table.Td>
  </Table.Tr>
)

/** A type of event, which may be broken after the kind. */
function TypeName({ of }: { of: string }) {
  const [kind, happening] = of.split(".")
  return (
    <>
      {kind}.<wbr />
      {happening}
    </>
  )
}
