import { Button, Text, VisuallyHidden } from "@mantine/core"
import { IconX } from "@tabler/icons-react"
import { useSearchParams } from "wouter"
import { useRecord } from "../../api/hooks"

/** Says when the address narrows the log to one actor or one record, and widens it again. */
export function AuditNarrowing() {
  const [params, setParams] = useSearchParams()
  const actor = params.get("actor")
  const record = params.get("recordId")
  const name = useActorName(actor)
  const widen = (field: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      next.delete(field)
      return next
    })
  return (
    <>
      {actor && <Only of={`What ${name} did`} onWiden={() => widen("actor")} />}
      {record && <Only of={`History of ${record}`} onWiden={() => widen("recordId")} />}
    </>
  )
}

const Only = ({ of, onWiden }: { of: string; onWiden: () => void }) => (
  <Button variant="light" size="xs" rightSection={<IconX size={14} />} onClick={onWiden} maw="100%">
    <Text span inherit truncate>
      {of}
    </Text>
    <VisuallyHidden> (show all)</VisuallyHidden>
  </Button>
)

/** A revoked key has no name any more; its id is what is left. */
function useActorName(id: string | null): string {
  const user = useRecord("users", id?.startsWith("usr_") ? id : null)
  const key = useRecord("api-keys", id?.startsWith("key_") ? id : null)
  return user.data?.name ?? key.data?.name ?? id ?? ""
}
