import { Button, Group, Menu, Modal, TextInput } from "@mantine/core"
import { IconBookmark, IconCheck } from "@tabler/icons-react"
import { useState } from "react"
import { confirm } from "../parts/confirm"
import type { Views } from "./use-views"

type Naming = { title: string; name: string; onName: (name: string) => void }

/** The saved views of a list: shows, saves, renames and deletes them. */
export function ViewsMenu(views: Views) {
  const { current, save, rename, remove } = views
  const [naming, setNaming] = useState<Naming | null>(null)
  const askRemove = async () => {
    if (current && (await confirm({ title: `Delete the view ${current.name}?`, action: "Delete view" })))
      remove(current)
  }
  const askName = () =>
    current &&
    setNaming({ title: "Rename view", name: current.name, onName: (name) => rename(current, name) })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} />} px="sm" maw={220}>
            {current?.name ?? "Views"}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Names {...views} />
          <Menu.Item onClick={() => setNaming({ title: "Save view", name: "", onName: save })}>
            Save this view…
          </Menu.Item>
          {current && <Menu.Item onClick={askName}>Rename {current.name}…</Menu.Item>}
          {current && <Menu.Item onClick={askRemove}>Delete {current.name}…</Menu.Item>}
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
          label="Name"
          description="The view keeps the filters, the sort order and the columns on this device."
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          maxLength={60}
          data-autofocus
          mb="md"
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={typed.trim() === ""}>
            Save view
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
