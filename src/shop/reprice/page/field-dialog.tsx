import { Button, Group, Modal, Stack } from "@mantine/core"
import { useState, type ReactNode } from "react"
import type { Item } from "../../../console/api/types"
import { TaxCodeField } from "../../../trade/page/tax-code-field"
import { useRestoreFocus } from "../../../console/parts/form-dialog"
import type { BulkAction } from "../../../console/lists/bulk"
import { t } from "../../../console/texts"
import { CategoryField } from "../../items/page/category-field"

type Props = { onClose: () => void; onPerform: (action: BulkAction<Item>) => void }

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
              {t(($) => $.common.cancel)}
            </Button>
            <Button type="submit" disabled={!isReady}>
              {t(($) => $.items.bulk.change)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Sets the category of many items. An empty one removes it. */
export function CategoryDialog({ onClose, onPerform }: Props) {
  const [value, setValue] = useState("")
  const category = value.trim() === "" ? null : value.trim()
  const submit = () =>
    onPerform({
      label: t(($) => $.items.bulk.categoryTitle),
      done: "changed",
      operation: ({ id, version }) => ({ op: "update", id, ifMatch: String(version), body: { category } }),
      undo: (item) =>
        item.category === category ? null : { op: "update", id: item.id, body: { category: item.category } },
    })
  return (
    <Frame title={t(($) => $.items.bulk.categoryTitle)} onClose={onClose} onSubmit={submit} isReady>
      <CategoryField
        description={t(($) => $.items.bulk.categoryHint)}
        value={value}
        data-autofocus
        onChange={setValue}
      />
    </Frame>
  )
}

/** Sets the tax code of many items. */
export function TaxCodeDialog({ onClose, onPerform }: Props) {
  const [taxCode, setTaxCode] = useState("")
  const submit = () =>
    onPerform({
      label: t(($) => $.items.bulk.taxTitle),
      done: "changed",
      operation: ({ id, version }) => ({ op: "update", id, ifMatch: String(version), body: { taxCode } }),
      undo: ({ id, taxCode: code, taxRate }) =>
        code === taxCode
          ? null
          : { op: "update", id, body: code === null ? { taxCode: null, taxRate } : { taxCode: code } },
    })
  return (
    <Frame
      title={t(($) => $.items.bulk.taxTitle)}
      onClose={onClose}
      onSubmit={submit}
      isReady={taxCode !== ""}
    >
      <TaxCodeField
        label={t(($) => $.fields.taxCode)}
        value={taxCode}
        onPick={(next) => setTaxCode(next?.id ?? "")}
      />
    </Frame>
  )
}
