import { expect, test } from "bun:test"
import { areTermsUnderstood, dueDateOf } from "../../shared/documents/terms"
import { t } from "./texts"

test.each([
  ["English", t.texts.en],
  ["German", t.texts.de],
])(
  "All payment terms that the console suggests in %s set a due date, and only the first one at once.",
  (_, texts) => {
    const terms = Object.values(texts.documents.terms)
    expect(terms.filter((each) => !areTermsUnderstood(each))).toEqual([])
    expect(terms.filter((each) => dueDateOf("2026-03-01", each) === "2026-03-01")).toEqual([terms[0] ?? ""])
  },
)
