import { useMediaQuery } from "@mantine/hooks"

/** True on a phone, where lists have two lines per record and the filters are behind a button. */
export const useIsNarrow = (): boolean =>
  useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false })
