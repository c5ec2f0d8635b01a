import { useSearchParams } from "wouter"
import { useRecord } from "../../api/hooks"

/** Describes the actor or record filter in the URL. */
export function useActorInWords() {
  const [params] = useSearchParams()
  const actor = useActorName(params.get("actor"))
  return (name: string, value: string) =>
    name === "actor" ? `Activity of ${actor}` : name === "recordId" ? `History of ${value}` : undefined
}

/** Returns the name of a user or a key. A revoked key no longer has a name, so its id is shown. */
function useActorName(id: string | null): string {
  const user = useRecord("users", id?.startsWith("usr_") ? id : null)
  const key = useRecord("api-keys", id?.startsWith("key_") ? id : null)
  return user.data?.name ?? key.data?.name ?? id ?? ""
}
