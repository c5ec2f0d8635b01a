import { useMediaQuery } from "@mantine/hooks"
import { CardList } from "./card-list"
import type { ListProps, Row } from "./list-cells"
import { WideTable } from "./wide-table"

/** The rows as a table or, on narrow screens, as cards. */
export function ListTable<T extends Row>(props: ListProps<T>) {
  const isNarrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false })
  return isNarrow ? <CardList {...props} /> : <WideTable {...props} />
}
