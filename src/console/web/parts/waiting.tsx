import { Center, Loader } from "@mantine/core"

export const Waiting = ({ height }: { height: number | string }) => (
  <Center h={height}>
    <Loader aria-label="Loading" />
  </Center>
)
