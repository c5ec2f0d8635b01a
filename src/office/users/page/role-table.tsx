import { Paper, Table, Text, Title } from "@mantine/core"
import { areas, roles, scopesIn } from "../../../shared/rights"
import { rightsInWords } from "../../../console/parts/shown"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

/** The rights of each role, as help for choosing a role. */
export const RoleTable = () => (
  <Paper withBorder p="md" mt="xl">
    <Title order={2} size="h4" mb="xs">
      {t(($) => $.rights)}
    </Title>
    <Table.ScrollContainer
      minWidth={760}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.rights) },
      }}
    >
      <Table style={{ overflowWrap: "break-word" }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(($) => $.role)}</Table.Th>
            {areas.map((area) => (
              <Table.Th key={area}>{common(($) => $.values.area[area])}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {roles.map((role) => (
            <Table.Tr key={role}>
              <Table.Th scope="row" miw={180}>
                {common(($) => $.values.role[role])}
                <Text size="xs" c="dimmed" fw={400}>
                  {common(($) => $.values.roleMeaning[role])}
                </Text>
              </Table.Th>
              {areas.map((area) => (
                <Table.Td key={area}>{rightsInWords(scopesIn(role, area))}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </Paper>
)
