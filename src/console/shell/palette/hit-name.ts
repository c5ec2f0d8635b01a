import { draftName, nameOfHit } from "../../../shared/documents/draft-name"
import type { Folder } from "../../folders"
import { statusName } from "../../texts/fields"

const draft = nameOfHit(draftName, "")

/** The name of a hit of a kind, with the word for a draft in the user's language. The API has it in English. */
export const hitName = (name: string, { choices }: Pick<Folder, "choices">): string =>
  choices["status"]?.includes("draft") && name.startsWith(draft)
    ? nameOfHit(statusName("draft"), name.slice(draft.length))
    : name
