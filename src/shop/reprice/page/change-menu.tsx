import { Button, Group, Menu, Modal, Stack } from "@mantine/core"
import { type ReactNode, useRef, useState } from "react"
import type { Item } from "../../../console/api/types"
import { number } from "../../../console/format"
import type { BulkEdit } from "../../../console/lists/bulk-bar"
import type { BulkAction } from "../../../console/lists/bulk-run"
import { tellWarning } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { t } from "../../items/texts"
import { filterOf, mostPicked, type Filter } from "./reprice"
import { TaxCodeField } from "../../../trade/page/pickers/tax-fields"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import { CategoryField } from "../../items/fields"
import { useWatchedJobs } from "./price-job"

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
      return tellWarning(t(($) => $.bulk.tooMany, { shown: number(mostPicked) }))
    focusTarget()
    onPrice({ filter: filterOf(query, selection), clearSelection: () => selection.selectRows([]) })
  }
  return (
    <>
      <Menu keepMounted={false}>
        <Menu.Target>
          <Button ref={target} size="xs" variant="default">
            {t(($) => $.bulk.menu)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={openPrice}>{t(($) => $.bulk.price)}</Menu.Item>
          <Menu.Item onClick={() => open("category")}>{t(($) => $.bulk.category)}</Menu.Item>
          <Menu.Item onClick={() => open("taxCode")}>{t(($) => $.bulk.taxCode)}</Menu.Item>
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

type CategoryDialogProps = { onClose: () => void; onPerform: (action: BulkAction<Item>) => void }

type FrameProps = {
  title: string
  onClose: () => void
  onSubmit: () => void
  isReady: boolean
  children: ReactNode
}

function Frame({ title, onClose, onSubmit, isReady, children }: FrameProps) {
  useRestoreFocus()
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) onSubmit()
        }}
      >
        <Stack>
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common(($) => $.common.cancel)}
            </Button>
            <Button type="submit" disabled={!isReady}>
              {t(($) => $.bulk.change)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Sets the category of many items. An empty one removes it. */
function CategoryDialog({ onClose, onPerform }: CategoryDialogProps) {
  const [value, setValue] = useState("")
  const category = value.trim() === "" ? null : value.trim()
  const submit = () =>
    onPerform({
      label: t(($) => $.bulk.categoryTitle),
      done: "changed",
      operation: ({ id, version }) => ({ op: "update", id, ifMatch: String(version), body: { category } }),
      undo: (item) =>
        item.category === category ? null : { op: "update", id: item.id, body: { category: item.category } },
    })
  return (
    <Frame title={t(($) => $.bulk.categoryTitle)} onClose={onClose} onSubmit={submit} isReady>
      <CategoryField
        description={t(($) => $.bulk.categoryHint)}
        value={value}
        data-autofocus
        onChange={setValue}
      />
    </Frame>
  )
}

/** Sets the tax code of many items. */
function TaxCodeDialog({ onClose, onPerform }: CategoryDialogProps) {
  const [taxCode, setTaxCode] = useState("")
  const submit = () =>
    onPerform({
      label: t(($) => $.bulk.taxTitle),
      done: "changed",
      operation: ({ id, version }) => ({ op: "update", id, ifMatch: String(version), body: { taxCode } }),
      undo: ({ id, taxCode: code, taxRate }) =>
        code === taxCode
          ? null
          : { op: "update", id, body: code === null ? { taxCode: null, taxRate } : { taxCode: code } },
    })
  return (
    <Frame title={t(($) => $.bulk.taxTitle)} onClose={onClose} onSubmit={submit} isReady={taxCode !== ""}>
      <TaxCodeField
        label={common(($) => $.fields.taxCode)}
        value={taxCode}
        onPick={(next) => setTaxCode(next?.id ?? "")}
      />
    </Frame>
  )
}

/** What the price dialog is opened with: the selected items, and a function that clears the selection. */
type PriceTarget = { filter: Filter; clearSelection: () => void }

/** The open price dialog, and the job that it has started. */
type OpenedJob = PriceTarget & { jobId: string | null }

/** The state of the price dialog. It belongs to the page, because the bar of the selection disappears with the selection. */
export function usePriceChange() {
  const [opened, setOpened] = useState<OpenedJob | null>(null)
  const { watch, forget } = useWatchedJobs()
  return {
    opened,
    open: (target: PriceTarget) => setOpened({ ...target, jobId: null }),
    /** The user may have closed the dialog before the server has responded. */
    start: (target: PriceTarget, jobId: string) => {
      watch(jobId)
      target.clearSelection()
      setOpened((now) => (now?.filter === target.filter ? { ...now, jobId } : now))
    },
    /** The page shows a job that has not ended, and one that can be taken back. */
    close: (hasChangedNothing: boolean) => {
      if (hasChangedNothing && opened?.jobId) forget(opened.jobId)
      setOpened(null)
    },
  }
}

export type PriceChanging = ReturnType<typeof usePriceChange>
