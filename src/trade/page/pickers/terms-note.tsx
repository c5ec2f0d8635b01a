import { useDebouncedValue } from "@mantine/hooks"
import { areTermsUnderstood } from "../../../shared/documents/terms"
import { t } from "../texts"
import { Note } from "../view/note"

/** In milliseconds. Terms are not judged while they are typed. */
const pause = 600

/** Says that payment terms name no due date, so that invoices would be due at once. */
export function TermsNote({ terms }: { terms: string }) {
  const [typed] = useDebouncedValue(terms.trim(), pause)
  const isUnclear = typed !== "" && typed === terms.trim() && !areTermsUnderstood(typed)
  return <div role="status">{isUnclear && <Note>{t(($) => $.pickers.termsUnclear)}</Note>}</div>
}
