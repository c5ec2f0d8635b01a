import { Anchor, Group, Stack, Text } from "@mantine/core"
import { useEffect, useRef } from "react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "wouter"
import { call } from "../../../console/api/client"
import type { Kind } from "../../../console/api/types"
import { ago, moment } from "../../../console/format"
import { MessageBadge } from "../../../office/mail/page/badge"
import { MessageButtons } from "../../../office/mail/page/actions"
import { outcomeOf } from "../../../office/mail/page/outcome"
import { t as mailTexts } from "../../../office/mail/page/texts"
import type { Message } from "./preview"

/** A message that is under way is read again, in ms. */
const readEvery = 2_000
const mostShown = 25

const isUnderWay = ({ status }: Message): boolean => status === "queued" || status === "sending"

/** Reads the last messages about a record. */
export function useMessagesOf(kind: Kind, record: string, isWanted: boolean): readonly Message[] {
  const query = new URLSearchParams({ record, sort: "createdAt", order: "desc", perPage: String(mostShown) })
  const { data = [], isFetched } = useQuery({
    queryKey: ["messages", "of", record],
    queryFn: async () => (await call<Message[]>("GET", `/messages?${query}`)).data,
    enabled: isWanted,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? readEvery : false),
  })
  const [lastSent = null] = data
    .flatMap(({ sentAt }) => sentAt ?? [])
    .toSorted()
    .toReversed()
  const client = useQueryClient()
  const before = useRef<string | null | undefined>(undefined)
  useEffect(() => {
    // The page shows when its document was last sent. Its version is the same as before.
    if (before.current !== undefined && before.current !== lastSent)
      void client.invalidateQueries({ queryKey: [kind, record] })
    if (isFetched) before.current = lastSent
  }, [lastSent, isFetched])
  return data
}

/** A message in the timeline of its document: what has become of it, in the words of the mail server. */
export const TimelineMessage = ({ message }: { message: Message }) => (
  <Stack gap={4} role="group" aria-label={message.subject}>
    <Group gap="xs">
      <Anchor
        component={Link}
        href={`/messages/${message.id}`}
        size="sm"
        style={{ overflowWrap: "anywhere" }}
      >
        {mailTexts(($) => $.mailTo, { to: message.to.join(", ") })}
      </Anchor>
      <MessageBadge status={message.status} />
    </Group>
    {outcomeOf(message).map((sentence) => (
      <Text key={sentence} size="sm" style={{ overflowWrap: "anywhere" }}>
        {sentence}
      </Text>
    ))}
    <Text size="xs" c="dimmed" component="time" dateTime={message.createdAt}>
      {ago(message.sentAt ?? message.createdAt)} · {moment(message.sentAt ?? message.createdAt)}
    </Text>
    <MessageButtons message={message} size="compact-xs" />
  </Stack>
)
