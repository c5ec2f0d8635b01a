import { forms } from "../../test/support/downloads"
import type { Found } from "./client"

/**
 * One write. A GET is the first download of a file, which is stored. `record` is the path of the record in the response, when a POST did not create it. `touches` are the other
 * records that the write changes, and `names` returns those that only the response names.
 */
export type Step = {
  method: "POST" | "PUT" | "DELETE" | "GET"
  path: string
  body?: object
  record?: string
  touches?: string[]
  names?: (record: Found) => string[]
}

/**
 * The writes of a small business for one customer, one at a time. All records belong to this scenario, except the shared
 * item.
 */
export type Steps<Result = void> = Generator<Step, Result, Found>

/** Creates a record. `collection` is the path of its list. */
export const post = (
  path: string,
  body: object,
  touches: string[] = [],
  collection: string = path,
): Step => ({ method: "POST", path, body, touches, record: `${collection}/` })

/** Creates something that is only part of other records. */
export const part = (path: string, body: object, touches: string[]): Step => ({
  method: "POST",
  path,
  body,
  touches,
})

export const put = (path: string, body: object): Step => ({ method: "PUT", path, body, record: path })

export const becomes = (record: string, status: string, touches: string[] = []): Step => ({
  method: "PUT",
  path: `${record}/status`,
  body: { status },
  record,
  touches,
})

/** Downloads a form of an issued document for the first time. */
export const download = (document: string, form: keyof typeof forms): Step => {
  const path = `${document}/${forms[form]}`
  return { method: "GET", path, record: path }
}

/** Deletes a record, or a part of other records. */
export const remove = (path: string, touches: string[] = []): Step => ({
  method: "DELETE",
  path,
  touches: [path, ...touches].filter(isRecord),
})
const isRecord = (path: string): boolean => /^\/[\w-]+\/\w+$/.test(path)
