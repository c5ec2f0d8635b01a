import { Button, Group } from "@mantine/core"
import { Link, useLocation } from "wouter"
import { t } from "./texts"

const views = [
  { path: "/stock", title: t(($) => $.stock.onHand) },
  { path: "/stock/ledger", title: t(($) => $.stock.ledger) },
]

/** The two views of the stock: what is on hand, and how it came about. */
export function StockViews() {
  const [path] = useLocation()
  return (
    <Group component="nav" aria-label={t(($) => $.stock.views)} gap="xs" mb="md">
      {views.map((view) => (
        <Button
          key={view.path}
          component={Link}
          href={view.path}
          variant={path === view.path ? "light" : "subtle"}
          aria-current={path === view.path ? "page" : undefined}
        >
          {view.title}
        </Button>
      ))}
    </Group>
  )
}
