import { useLocalStorage } from "@mantine/hooks"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useEffect } from "react"
import { call } from "../api/client"
import { useMe } from "../api/hooks"
import type { Method } from "../api/send"
import type { Kinds } from "../api/types"
import { tellError } from "../parts/tell"
import type { ListState } from "./filters"

/** One column of a list. Its key is the field that it sorts by. */
export type Column<T> = {
  key: keyof T & string
  title: string
  show: (row: T) => ReactNode
  isNumber?: boolean
  /** True if it is an amount that the server can add up. */
  hasSum?: boolean
  /** What is taken off the sum, because other records of the list have it too, and how the sum says that. */
  sumLess?: { field: string; label: string }
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

/** The filters, the sort order and the columns of a list under a name. */
export type View = {
  id: string
  name: string
  params: Record<string, string>
  columns: string[]
  isShared: boolean
  /** True if the user may rename, share and delete it. */
  isChangeable: boolean
}

type Columns = { chosen: string[]; choose: (keys: string[]) => void }

const sorted = (params: Record<string, string>) => JSON.stringify(Object.entries(params).toSorted())

/** A view that an earlier version has stored on this device. */
type Stored = Pick<View, "name" | "params" | "columns">

const sharingRoles: readonly string[] = ["manager", "admin"]

/** The saved views of a kind: those of the user, and those for everybody. */
export function useViews(kind: string, state: ListState, { chosen, choose }: Columns) {
  const { id: user, role } = useMe()
  const client = useQueryClient()
  const mayShare = sharingRoles.includes(role)
  const { data = [], isSuccess } = useQuery({
    queryKey: ["views", kind],
    queryFn: async () => {
      const query = new URLSearchParams({ list: kind, sort: "name", order: "asc", perPage: "100" })
      return (await call<Kinds["views"][]>("GET", `/views?${query}`)).data
    },
  })
  const views = data.map((view): View => {
    const { id, name, columns, isShared, owner } = view
    const params = Object.fromEntries(new URLSearchParams(view.query ?? ""))
    const isChangeable = mayShare || (owner === user && !isShared)
    return { id, name, params, columns, isShared, isChangeable }
  })
  const write = async (method: Method, path: string, body?: object): Promise<void> => {
    await call(method, `/views${path}`, { body }).catch(tellError)
    await client.invalidateQueries({ queryKey: ["views", kind] })
  }
  const bodyOf = ({ name, params, columns }: Stored) => ({
    name,
    query: String(new URLSearchParams(params)) || null,
    columns,
  })
  const create = (view: Stored) => write("POST", "", { list: kind, ...bodyOf(view) })
  useEffect(() => {
    if (isSuccess) for (const view of takeStored(kind)) void create(view)
  }, [isSuccess])

  const isShown = ({ params, columns }: View) =>
    sorted(params) === sorted(state.given) &&
    JSON.stringify(columns.toSorted()) === JSON.stringify(chosen.toSorted())
  return {
    views,
    mayShare,
    /** The view that the list shows. */
    current: views.find(isShown) ?? null,
    show({ params, columns }: View) {
      state.show(params)
      choose(columns)
    },
    /** Saves what the list shows. A view of the user with the same name is replaced. */
    save(name: string) {
      const view = { name, params: state.given, columns: chosen }
      const same = views.find((each) => each.name === name && each.isChangeable)
      return same ? write("PUT", `/${same.id}`, bodyOf(view)) : create(view)
    },
    rename: ({ id }: View, name: string) => write("PUT", `/${id}`, { name }),
    share: ({ id }: View, isShared: boolean) => write("PUT", `/${id}`, { isShared }),
    remove: ({ id }: View) => write("DELETE", `/${id}`),
  }
}

/** Returns the views that an earlier version has stored on this device, and forgets them. */
function takeStored(kind: string): Stored[] {
  const key = `kontor.views.${kind}`
  const text = localStorage.getItem(key)
  localStorage.removeItem(key)
  try {
    return text === null ? [] : (JSON.parse(text) as Stored[])
  } catch {
    return []
  }
}

export type Views = ReturnType<typeof useViews>
