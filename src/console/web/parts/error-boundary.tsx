import { Button, Text, Title } from "@mantine/core"
import { Component, type ReactNode } from "react"

type Props = {
  /** The address of the page: another address is another try. */
  at: string
  children: ReactNode
}

/** Catches the error of a page, as when its file is gone after an upgrade. The shell around it stays. */
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
          This page cannot be shown
        </Title>
        <Text mb="md">
          Kontor does not answer, or it has been replaced by a newer one since you opened the console.
        </Text>
        <Button onClick={() => location.reload()}>Load the console anew</Button>
      </>
    )
  }
}
