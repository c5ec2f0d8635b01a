import { Button } from "@mantine/core"
import { Link } from "wouter"
import { useMay, useMe, useRecord } from "../../../console/api/hooks"
import type { Item } from "../../../console/api/types"
import { number, price } from "../../../console/format"
import { Loaded } from "../../../console/parts/loaded"
import { NewRecord } from "../../../console/parts/new-record"
import { OnlyFor } from "../../../console/parts/only-for"
import { RecordPage } from "../../../trade/page/record-page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { useDelete } from "../../../console/parts/use-delete"
import { useDuplicate } from "../../../console/parts/use-duplicate"
import { t } from "../../../console/texts"
import { ReceiveButton } from "../../stock-movements/page/receive-button"
import { ItemForm } from "./item-form"

const parent = { title: t(($) => $.kinds.items.title), href: "/items" }

/** The page of an item: its stock, form and timeline. */
export default function ItemPage({ id }: { id: string }) {
  const query = useRecord("items", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="items"
        scope="write"
        title={t(($) => $.items.new)}
        parent={parent}
        sentence={t(($) => $.items.onlyFor)}
      >
        <NewRecord kind="items" title={t(($) => $.items.new)} parent={parent}>
          {(copied, startAgain) => <ItemForm item={null} copied={copied} startAgain={startAgain} />}
        </NewRecord>
      </OnlyFor>
    )
  return <Loaded query={query}>{(item) => <Existing item={item} />}</Loaded>
}

function Existing({ item }: { item: Item }) {
  const may = useMay()
  const { currency } = useMe().company
  const { id, version, itemName: name, uom } = item
  const duplicate = useDuplicate("/items", id)
  const removal = useDelete({ kind: "items", id, version, name, to: "/items" })
  const hasStock = item.itemType !== "Service"
  const stock = (quantity: number) => `${number(quantity)} ${uom}`
  return (
    <RecordPage
      kind="items"
      record={item}
      title={name}
      parent={parent}
      badge={<StatusBadge status={item.status} />}
      facts={[
        { label: t(($) => $.items.code), value: item.itemCode },
        { label: t(($) => $.fields.sellingPrice), value: price(item.sellingPrice, currency), isStrong: true },
        hasStock && { label: t(($) => $.items.inStock), value: stock(item.currentStock) },
        hasStock && { label: t(($) => $.items.reserved), value: stock(item.reservedStock) },
        hasStock && { label: t(($) => $.items.available), value: stock(item.availableStock), isStrong: true },
      ]}
      actions={hasStock && <StockButtons item={item} />}
      more={{
        actions: [may("items", "write") && duplicate, may("items", "delete") && removal.action],
        isBusy: removal.isBusy,
      }}
    >
      <ItemForm item={item} />
    </RecordPage>
  )
}

const StockButtons = ({ item }: { item: Item }) => (
  <>
    <Button component={Link} href={`/stock/ledger?item=${item.id}`} variant="default">
      {t(($) => $.items.movements)}
    </Button>
    <ReceiveButton item={item} />
  </>
)
