import { Button, Text, Title } from "@mantine/core"
import { Component, type ReactNode } from "react"

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
          Could not load this page
        </Title>
        <Text mb="md">Kontor is not responding, or it was updated since you opened the console.</Text>
        <Button onClick={() => location.reload()}>Reload the console</Button>
      </>
    )
  }
}
