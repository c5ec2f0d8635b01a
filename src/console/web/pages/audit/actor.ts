import { useSearchParams } from "wouter"
import { useRecord } from "../../api/hooks"

/** Says in words which actor or which record the address narrows the log to. */
export function useActorInWords() {
  const [params] = useSearchParams()
  const actor = useActorName(params.get("actor"))
  return (name: string, value: string) =>
    name === "actor" ? `What ${actor} did` : name === "recordId" ? `History of ${value}` : undefined
}

/** The name of a user or a key. A revoked key has no name any more, so its id is shown. */
function useActorName(id: string | null): string {
  const user = useRecord("users", id?.startsWith("usr_") ? id : null)
  const key = useRecord("api-keys", id?.startsWith("key_") ? id : null)
  return user.data?.name ?? key.data?.name ?? id ?? ""
}
