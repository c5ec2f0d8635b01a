import { Paper, Table, Text, Title } from "@mantine/core"
import { areas, roles, scopesIn, areaNames } from "../../../../shared/rights"
import { words } from "../../format"
import { rightsInWords, roleSentences } from "../../parts/rights-in-words"

/** The rights of each role, as help for choosing a role. */
export const RoleTable = () => (
  <Paper withBorder p="md" mt="xl">
    <Title order={2} size="h4" mb="xs">
      Roles and permissions
    </Title>
    <Table.ScrollContainer
      minWidth={760}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": "Roles and permissions" },
      }}
    >
      <Table style={{ overflowWrap: "break-word" }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Role</Table.Th>
            {areas.map((area) => (
              <Table.Th key={area}>{areaNames[area]}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {roles.map((role) => (
            <Table.Tr key={role}>
              <Table.Th scope="row" miw={180}>
                {words(role)}
                <Text size="xs" c="dimmed" fw={400}>
                  {roleSentences[role]}
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
