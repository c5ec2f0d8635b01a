import { Button, Group, Menu, Modal, TextInput } from "@mantine/core"
import { IconBookmark, IconCheck } from "../parts/icons"
import { useState } from "react"
import { confirm } from "../parts/confirm"
import { t } from "../texts"
import type { Views } from "./use-views"

type Naming = { title: string; name: string; onName: (name: string) => void }

/** The saved views of a list: shows, saves, renames and deletes them. */
export function ViewsMenu(views: Views) {
  const { current, save, rename, remove } = views
  const [naming, setNaming] = useState<Naming | null>(null)
  const askRemove = async () => {
    if (!current) return
    const title = t(($) => $.lists.confirmDeleteView, { name: current.name })
    if (await confirm({ title, action: t(($) => $.lists.deleteView) })) remove(current)
  }
  const askNew = () => setNaming({ title: t(($) => $.lists.saveView), name: "", onName: save })
  const askName = () =>
    current &&
    setNaming({
      title: t(($) => $.lists.renameView),
      name: current.name,
      onName: (name) => rename(current, name),
    })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} />} px="sm" maw={220}>
            {current?.name ?? t(($) => $.lists.views)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Names {...views} />
          <Menu.Item onClick={askNew}>{t(($) => $.lists.saveThisView)}</Menu.Item>
          {current && <Changes name={current.name} onRename={askName} onRemove={askRemove} />}
        </Menu.Dropdown>
      </Menu>
      {naming && <NameDialog {...naming} onClose={() => setNaming(null)} />}
    </>
  )
}

const Names = ({ views, current, show }: Views) => (
  <>
    {views.map((view) => (
      <Menu.Item
        key={view.name}
        leftSection={<IconCheck size={16} visibility={view === current ? undefined : "hidden"} />}
        onClick={() => show(view)}
      >
        {view.name}
      </Menu.Item>
    ))}
    {views.length > 0 && <Menu.Divider />}
  </>
)

type ChangesProps = { name: string; onRename: () => void; onRemove: () => void }

const Changes = ({ name, onRename, onRemove }: ChangesProps) => (
  <>
    <Menu.Item onClick={onRename}>{t(($) => $.lists.renameNamed, { name })}</Menu.Item>
    <Menu.Item onClick={onRemove}>{t(($) => $.lists.deleteNamed, { name })}</Menu.Item>
  </>
)

function NameDialog({ title, name, onName, onClose }: Naming & { onClose: () => void }) {
  const [typed, setTyped] = useState(name)
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onName(typed.trim())
          onClose()
        }}
      >
        <TextInput
          label={t(($) => $.common.name)}
          description={t(($) => $.lists.viewHint)}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          maxLength={60}
          data-autofocus
          mb="md"
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(($) => $.common.cancel)}
          </Button>
          <Button type="submit" disabled={typed.trim() === ""}>
            {t(($) => $.lists.saveView)}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
