import { useLocalStorage } from "@mantine/hooks"
import type { ReactNode } from "react"

/** One column of a list. Its key is the field it sorts by. */
export type Column<T> = {
  key: keyof T & string
  title: string
  show: (row: T) => ReactNode
  /** What a spreadsheet gets, where it is not the field itself. */
  plain?: (row: T) => string | null
  isNumber?: boolean
  /** Is not wrapped, such as a date or the number of a document. */
  isWhole?: boolean
  /** False where the server cannot sort by it. */
  sorts?: boolean
  /** Shown only to those who choose it. */
  isExtra?: boolean
}

/** Which columns a person wants to see of a kind, remembered on this device. */
export function useColumns<T>(name: string, columns: Column<T>[]) {
  const usual = columns.filter(({ isExtra }) => !isExtra).map(({ key }) => key as string)
  const [chosen, setChosen] = useLocalStorage<string[]>({
    key: `kontor.columns.${name}`,
    defaultValue: usual,
    getInitialValueInEffect: false,
  })
  const shown = columns.filter(({ key }) => chosen.includes(key))
  const toggle = (key: string) =>
    setChosen(chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key])
  return { shown: shown.length > 0 ? shown : columns.slice(0, 1), chosen, toggle }
}
