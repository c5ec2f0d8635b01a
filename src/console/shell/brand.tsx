import { Group, Text } from "@mantine/core"
import icon from "../icon.svg"

/** The icon and the company name. */
export const Brand = ({ name }: { name?: string | null }) => (
  <Group gap="xs" wrap="nowrap" miw={0}>
    <img src={icon} width={28} height={28} alt="" />
    <Text fw={700} size="lg" truncate>
      {name || "Kontor"}
    </Text>
  </Group>
)
