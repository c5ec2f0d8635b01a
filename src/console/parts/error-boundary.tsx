import { Button, Text, Title } from "@mantine/core"
import { Component, type ReactNode } from "react"
import { t } from "../texts"

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
