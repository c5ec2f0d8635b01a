import { Button, Menu } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import type { Item } from "../../../api/types"
import { number } from "../../../format"
import type { BulkEdit } from "../../../lists/bulk-bar"
import { tellWarning } from "../../../parts/tell"
import { t } from "../../../texts"
import { CategoryDialog, TaxCodeDialog } from "./field-dialog"
import { PriceDialog } from "./price-dialog"
import { filterOf, mostPicked, type Filter } from "./reprice"

type Opened = { name: "price"; filter: Filter } | { name: "category" } | { name: "taxCode" }

/** A menu of the fields that can be changed for all selected items. */
export function ChangeMenu(props: BulkEdit<Item>) {
  const { query, selection } = props
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const open = (next: Opened) => {
    // A dialog returns the focus to where it was. The entry itself disappears with the menu.
    target.current?.focus()
    setOpened(next)
  }
  const openPrice = () => {
    if (!selection.isAll && selection.count > mostPicked)
      return tellWarning(t(($) => $.items.bulk.tooMany, { shown: number(mostPicked) }))
    open({ name: "price", filter: filterOf(query, selection) })
  }
  return (
    <>
      <Menu keepMounted={false}>
        <Menu.Target>
          <Button ref={target} size="xs" variant="default">
            {t(($) => $.items.bulk.menu)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={openPrice}>{t(($) => $.items.bulk.price)}</Menu.Item>
          <Menu.Item onClick={() => open({ name: "category" })}>{t(($) => $.items.bulk.category)}</Menu.Item>
          <Menu.Item onClick={() => open({ name: "taxCode" })}>{t(($) => $.items.bulk.taxCode)}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {opened && <Dialog {...props} opened={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function Dialog({ opened, onClose, perform }: BulkEdit<Item> & { opened: Opened; onClose: () => void }) {
  const client = useQueryClient()
  const onPerform: typeof perform = (action) => {
    onClose()
    perform(action)
  }
  if (opened.name === "category") return <CategoryDialog onClose={onClose} onPerform={onPerform} />
  if (opened.name === "taxCode") return <TaxCodeDialog onClose={onClose} onPerform={onPerform} />
  // The list is read again only now: a changed price may remove items from it, and with them the selection.
  const close = (isDone: boolean) => {
    onClose()
    if (isDone) void client.invalidateQueries()
  }
  return <PriceDialog filter={opened.filter} onClose={close} />
}
