import { useLocalStorage } from "@mantine/hooks"
import type { ListState } from "./filters"

/** The filters, the sort order and the columns of a list under a name, stored on this device. */
export type View = { name: string; params: Record<string, string>; columns: string[] }

type Columns = { chosen: string[]; choose: (keys: string[]) => void }

const sorted = (params: Record<string, string>) => JSON.stringify(Object.entries(params).toSorted())

/** The saved views of a kind. */
export function useViews(kind: string, state: ListState, { chosen, choose }: Columns) {
  const [views, setViews] = useLocalStorage<View[]>({
    key: `kontor.views.${kind}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const isShown = ({ params, columns }: View) =>
    sorted(params) === sorted(state.given) &&
    JSON.stringify(columns.toSorted()) === JSON.stringify(chosen.toSorted())
  const without = (name: string) => views.filter((view) => view.name !== name)
  return {
    views,
    /** The view that the list shows. */
    current: views.find(isShown) ?? null,
    show({ params, columns }: View) {
      state.show(params)
      choose(columns)
    },
    /** Saves what the list shows. A view with the same name is replaced. */
    save: (name: string) => setViews([...without(name), { name, params: state.given, columns: chosen }]),
    rename: (view: View, name: string) =>
      setViews(
        views.flatMap((each) =>
          each.name === view.name ? [{ ...each, name }] : each.name === name ? [] : [each],
        ),
      ),
    remove: ({ name }: View) => setViews(without(name)),
  }
}

export type Views = ReturnType<typeof useViews>
