import { number } from "../../../console/format"

const names = ["value", "max", "cells", "titles", "row", "encoding", "currency"] as const

/** The values that a text about a file may contain, as people read them. */
export const shownParams = (params: Record<string, unknown>) =>
  Object.fromEntries(
    names.map((name) => {
      const value = params[name] ?? ""
      return [name, typeof value === "number" ? number(value) : String(value)]
    }),
  ) as Record<(typeof names)[number], string>

export const megabytes = (bytes: number): string => number(bytes / 1024 / 1024)
