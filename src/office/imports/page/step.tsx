import { Paper, Stack, Text, Title } from "@mantine/core"
import { useEffect, useRef, type ReactNode } from "react"
import { t } from "./texts"

type Props = {
  title: string
  number?: number
  /** False for the first step of a page, where the focus stays at the top. */
  takesFocus?: boolean
  children: ReactNode
}

const steps = 4

/** A step of the import. The focus goes to its heading, so that a screen reader reads it from there. */
export function Step({ title, number, takesFocus = true, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [])
  return (
    <Paper withBorder p="md">
      {number !== undefined && (
        <Text size="xs" c="dimmed">
          {t(($) => $.step, { number, steps })}
        </Text>
      )}
      <Title order={2} size="h4" mb="sm" ref={heading} tabIndex={-1}>
        {title}
      </Title>
      <Stack>{children}</Stack>
    </Paper>
  )
}
