import { Component, type ComponentType, type ReactNode, useEffect, useState } from "react"
import { Button, Text, Title, Center, Loader } from "@mantine/core"
import { t } from "../texts"

/**
 * A component in a file of its own, which loads when the component is first shown. React's `lazy` would show the loader
 * for at least 300 ms, even if the file is in the browser's cache.
 */
export function split<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  height: number | string = "60vh",
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined
  return function Split(props: Props) {
    const [state, setState] = useState<{ error?: unknown }>({})
    useEffect(() => {
      if (Part) return
      load().then(
        (file) => {
          Part = file.default
          setState({})
        },
        (error: unknown) => setState({ error }),
      )
    }, [])
    if (state.error) throw state.error
    return Part ? <Part {...props} /> : <Waiting height={height} />
  }
}

type Props = {
  /** The path of the page. A new path clears the error. */
  at: string
  children: ReactNode
}

/** Catches the error of a page, for example if its file is missing after an upgrade. The shell stays visible. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidUpdate({ at }: Props): void {
    if (this.state.hasFailed && at !== this.props.at) this.setState({ hasFailed: false })
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <>
        <Title order={1} size="h2" mb="md">
          {t(($) => $.parts.pageFailed)}
        </Title>
        <Text mb="md">{t(($) => $.parts.pageFailedText)}</Text>
        <Button onClick={() => location.reload()}>{t(($) => $.parts.reload)}</Button>
      </>
    )
  }
}

export const Waiting = ({ height }: { height: number | string }) => (
  <Center h={height}>
    <Loader aria-label={t(($) => $.common.loading)} />
  </Center>
)
