import { useLocalStorage } from "@mantine/hooks"
import type { ReactNode } from "react"

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
