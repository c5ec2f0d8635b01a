import { useSearchParams } from "wouter"
import { useRecord } from "../../../console/api/hooks"
import { t } from "../../../console/texts"

/** Describes the actor or record filter in the URL. */
export function useActorInWords() {
  const [params] = useSearchParams()
  const actor = useActorName(params.get("actor"))
  return (parameter: string, value: string) => {
    if (parameter === "actor") return t(($) => $.audit.activityOf, { name: actor })
    return parameter === "recordId" ? t(($) => $.audit.historyOf, { id: value }) : undefined
  }
}

/** Returns the name of a user or a key. A revoked key no longer has a name, so its id is shown. */
function useActorName(id: string | null): string {
  const user = useRecord("users", id?.startsWith("usr_") ? id : null)
  const key = useRecord("api-keys", id?.startsWith("key_") ? id : null)
  return user.data?.name ?? key.data?.name ?? id ?? ""
}
