import { Center, Loader } from "@mantine/core"
import { t } from "../texts"

export const Waiting = ({ height }: { height: number | string }) => (
  <Center h={height}>
    <Loader aria-label={t(($) => $.common.loading)} />
  </Center>
)
