import { useLocalStorage } from "@mantine/hooks"
import type { ReactNode } from "react"
import type { ListState } from "./filters"

/** One column of a list. Its key is the field that it sorts by. */
export type Column<T> = {
  key: keyof T & string
  title: string
  show: (row: T) => ReactNode
  isNumber?: boolean
  /** True if it is an amount that the server can add up. */
  hasSum?: boolean
  /** False if the server cannot sort by it. */
  sorts?: boolean
  /** True if the column is hidden by default. */
  isExtra?: boolean
}

/** The columns that the user has chosen for a kind, stored on this device. */
export function useColumns<T>(name: string, columns: Column<T>[]) {
  const defaultKeys = columns.filter(({ isExtra }) => !isExtra).map(({ key }) => key as string)
  const [chosen, setChosen] = useLocalStorage<string[]>({
    key: `kontor.columns.${name}`,
    defaultValue: defaultKeys,
    getInitialValueInEffect: false,
  })
  const shown = columns.filter(({ key }) => chosen.includes(key))
  const toggle = (key: string) =>
    setChosen(chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key])
  return { shown: shown.length > 0 ? shown : columns.slice(0, 1), chosen, choose: setChosen, toggle }
}

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
