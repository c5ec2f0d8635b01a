import { Button, FileButton, Group, Image, Paper, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { logoTypes, mostLogoBytes } from "../../../shared/suggestions"
import { call, callForBlob, messageOf } from "../../../console/api/client"
import { useChange } from "../../../console/api/hooks"
import { ApiError } from "../../../console/api/send"
import { fieldMessage } from "../../../console/forms/field-errors"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { Section } from "../../../console/parts/page"
import { tellDone } from "../../../console/parts/tell"
import { useDrop } from "../../../console/parts/files"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

/** The logo with the given hash. It is stored at once, because it is not a part of the form. */
export function LogoSection({ hash }: { hash: string | null }) {
  const { error, store } = useLogo()
  const { isOver, ...drop } = useDrop(store)
  const resetInput = useRef<() => void>(null)
  const choose = useRef<HTMLButtonElement>(null)
  // The button that removes the logo disappears.
  const remove = () => store(null).then(() => choose.current?.focus())
  const onChoose = (file: File | null) => {
    if (file) void store(file)
    // Choosing the same file again must have an effect.
    resetInput.current?.()
  }
  return (
    <Section title={common(($) => $.fields.logo)}>
      <Group {...drop} className={isOver ? "drop-zone is-over" : "drop-zone"} gap="md">
        <Preview hash={hash} />
        <Stack gap="sm" align="start" flex="1 1 240px">
          <Text size="sm">{t(($) => $.logoHint)}</Text>
          <Text size="sm" c="dimmed">
            {t(($) => $.logoIssued)}
          </Text>
          <Group gap="xs">
            <FileButton accept={logoTypes.join(",")} resetRef={resetInput} onChange={onChoose}>
              {(props) => (
                <Button {...props} ref={choose} variant="default">
                  {t(($) => (hash === null ? $.chooseLogo : $.replaceLogo))}
                </Button>
              )}
            </FileButton>
            {hash !== null && (
              <Button variant="default" onClick={remove}>
                {t(($) => $.removeLogo)}
              </Button>
            )}
          </Group>
        </Stack>
      </Group>
      <ErrorAlert message={error} />
    </Section>
  )
}

/** Stores a file as the logo, or removes the logo. */
function useLogo() {
  const [error, setError] = useState<string | null>(null)
  const change = useChange((file: File | null) =>
    file ? call("PUT", "/settings/logo", { file }) : call("DELETE", "/settings/logo"),
  )
  const store = async (file: File | null): Promise<void> => {
    const problem = file && problemOf(file)
    setError(problem)
    if (problem || change.isPending) return
    try {
      await change.mutateAsync(file)
      tellDone(t(($) => (file ? $.logoSaved : $.logoRemoved)))
    } catch (failed) {
      setError(inWords(failed))
    }
  }
  return { error, store }
}

/** Returns what is wrong with a file that the server would refuse. */
function problemOf({ type, size }: File): string | null {
  if (!(logoTypes as readonly string[]).includes(type)) return t(($) => $.logoType)
  return size > mostLogoBytes ? t(($) => $.logoTooLarge) : null
}

const inWords = (error: unknown): string => {
  const detail = error instanceof ApiError ? error.details[0] : undefined
  return detail ? fieldMessage(detail) : messageOf(error)
}

/** The logo on white, as on paper. */
function Preview({ hash }: { hash: string | null }) {
  const url = useLogoUrl(hash)
  return (
    <Paper withBorder p="xs" bg="white" w={200} h={100} className="logo-preview">
      {url === null ? (
        <Text size="sm" c="gray.7">
          {hash === null && t(($) => $.noLogo)}
        </Text>
      ) : (
        <Image src={url} alt={t(($) => $.logoAlt)} fit="contain" mah="100%" maw="100%" w="auto" />
      )}
    </Paper>
  )
}

/** The address of the image in the browser. The API needs a token, which an image element cannot send. */
function useLogoUrl(hash: string | null): string | null {
  const { data } = useQuery({
    queryKey: ["logo", hash],
    queryFn: async () => (await callForBlob("GET", "/settings/logo")).blob,
    enabled: hash !== null,
  })
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!data) return setUrl(null)
    const made = URL.createObjectURL(data)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return hash === null ? null : url
}
