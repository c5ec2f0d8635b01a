import type { ListProps, Row } from "./list-cells"
import { PhoneList } from "./phone-list"
import { useIsNarrow } from "./use-is-narrow"
import { WideTable } from "./wide-table"

/** The rows as a table or, on narrow screens, with two lines each. */
export function ListTable<T extends Row>(props: ListProps<T>) {
  return useIsNarrow() ? <PhoneList {...props} /> : <WideTable {...props} />
}
