import { Button, Menu } from "@mantine/core"
import { useRef, useState } from "react"
import type { Item } from "../../../console/api/types"
import { number } from "../../../console/format"
import type { BulkEdit } from "../../../console/lists/bulk-bar"
import { tellWarning } from "../../../console/parts/tell"
import { t } from "../../../console/texts"
import { CategoryDialog, TaxCodeDialog } from "./field-dialog"
import { filterOf, mostPicked } from "./reprice"
import type { PriceTarget } from "./use-price-change"

type Opened = "category" | "taxCode"
type Props = BulkEdit<Item> & { onPrice: (target: PriceTarget) => void }

/** A menu of the fields that can be changed for all selected items. */
export function ChangeMenu({ query, selection, perform, onPrice }: Props) {
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  // A dialog returns the focus to where it was. The entry itself disappears with the menu.
  const focusTarget = () => target.current?.focus()
  const open = (next: Opened) => {
    focusTarget()
    setOpened(next)
  }
  const openPrice = () => {
    if (!selection.isAll && selection.count > mostPicked)
      return tellWarning(t(($) => $.items.bulk.tooMany, { shown: number(mostPicked) }))
    focusTarget()
    onPrice({ filter: filterOf(query, selection), clearSelection: () => selection.selectRows([]) })
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
          <Menu.Item onClick={() => open("category")}>{t(($) => $.items.bulk.category)}</Menu.Item>
          <Menu.Item onClick={() => open("taxCode")}>{t(($) => $.items.bulk.taxCode)}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {opened && <Dialog perform={perform} opened={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

type DialogProps = Pick<Props, "perform"> & { opened: Opened; onClose: () => void }

function Dialog({ opened, onClose, perform }: DialogProps) {
  const onPerform: typeof perform = (action) => {
    onClose()
    perform(action)
  }
  return opened === "category" ? (
    <CategoryDialog onClose={onClose} onPerform={onPerform} />
  ) : (
    <TaxCodeDialog onClose={onClose} onPerform={onPerform} />
  )
}
