import { Button, type ButtonProps } from "@mantine/core"
import type { ComponentProps, ReactNode, Ref } from "react"

type Props = ButtonProps & {
  isBusy: boolean
  onClick: () => void
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** A button that ignores clicks while it is busy. It keeps the focus: a disabled button would lose it. */
export const BusyButton = ({ isBusy, onClick, disabled, ...props }: Props) => (
  <Button
    {...props}
    disabled={disabled}
    loading={isBusy}
    aria-busy={isBusy}
    onClick={isBusy ? undefined : onClick}
    renderRoot={(root: ComponentProps<"button">) => <button {...root} disabled={disabled} />}
  />
)
