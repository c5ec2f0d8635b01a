import { call } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import type { Kinds } from "../../../console/api/types"
import { withLinkInWords } from "../../../office/mail/page/link-words"
import type { Language } from "../../../shared/languages"
import type { PrintedKind } from "../papers/paper-files"

export type Message = Kinds["messages"]

/** What a message would say, and whether the customer has an address. */
export type Preview = { message: Message; hasAddress: boolean }

/** Stands for the address that is missing, so that the server tells the text. Nothing is sent to it. */
const standIn = "nobody@example.com"

/** True for the error of a document whose customer has no address. */
export const lacksAddress = (error: unknown): boolean => error instanceof ApiError && isWithoutAddress(error)

/** The same for an error that the server has stored. */
export const isWithoutAddress = ({ code, details }: Pick<ApiError, "code" | "details">): boolean =>
  code === "VALIDATION_ERROR" &&
  details.length > 0 &&
  details.every(({ field, code }) => field === "to" && code === "REQUIRED")

/** Asks the server what a message about a document would say. Nothing is stored. */
export async function previewOf(kind: PrintedKind, id: string, language?: Language): Promise<Preview> {
  const ask = async (to?: string): Promise<Message> => {
    const path = `/${kind}/${id}/send?dryRun=true`
    const { data } = await call<Message>("POST", path, { body: { to, language } })
    return { ...data, message: withLinkInWords(data.message, kind) }
  }
  try {
    return { message: await ask(), hasAddress: true }
  } catch (error) {
    if (!lacksAddress(error)) throw error
    return { message: { ...(await ask(standIn)), to: [] }, hasAddress: false }
  }
}
