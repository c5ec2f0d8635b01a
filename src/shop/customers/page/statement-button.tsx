import { Button, Menu } from "@mantine/core"
import { useRef } from "react"
import { useMe } from "../../../console/api/hooks"
import { IconChevronDown, IconFileTypePdf } from "../../../console/parts/icons"
import { useSavePaper } from "../../../trade/page/papers/pdf-button"
import { t } from "../texts"

/** The button that saves the statement of a customer: of this year, of the last one, or since the first document. */
export function StatementButton({ customer }: { customer: string }) {
  const { save, isSaving } = useSavePaper()
  const target = useRef<HTMLButtonElement>(null)
  const year = Number(useMe().company.today.slice(0, 4))
  const periods = [
    { label: t(($) => $.statementOf, { year }), query: `from=${year}-01-01` },
    {
      label: t(($) => $.statementOf, { year: year - 1 }),
      query: `from=${year - 1}-01-01&to=${year - 1}-12-31`,
    },
    { label: t(($) => $.wholeStatement), query: "from=1900-01-01" },
  ]
  return (
    <Menu keepMounted={false}>
      <Menu.Target>
        <Button
          ref={target}
          variant="default"
          fullWidth
          loading={isSaving}
          leftSection={<IconFileTypePdf size={16} />}
          rightSection={<IconChevronDown size={16} />}
        >
          {t(($) => $.statement)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {periods.map(({ label, query }) => (
          <Menu.Item
            key={query}
            onClick={() => {
              // The entry disappears with the menu.
              target.current?.focus()
              save(`/customers/${customer}/statement?format=pdf&${query}`)
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
