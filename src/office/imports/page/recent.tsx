import { Anchor, Badge, Table, Text } from "@mantine/core"
import { Link } from "wouter"
import { useQuery } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import { moment, number } from "../../../console/format"
import { Loaded } from "../../../console/parts/loaded"
import { Section } from "../../../console/parts/section"
import { t } from "../../../console/texts"
import { importKinds, type Import } from "./kinds"
import { statusColour, statusInWords } from "./status"

const mostShown = 10

/** The newest imports, without the checks before them. */
export function RecentImports() {
  const query = useQuery({
    queryKey: ["imports"],
    queryFn: async () => (await call<Import[]>("GET", "/imports?dryRun=false")).data,
    // An import that has just begun is listed.
    staleTime: 0,
  })
  return (
    <Section title={t(($) => $.imports.recent)}>
      <Loaded query={query}>
        {(all) => {
          const imports = all.slice(0, mostShown)
          return imports.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t(($) => $.imports.noneYet)}
            </Text>
          ) : (
            <ImportsTable imports={imports} />
          )
        }}
      </Loaded>
    </Section>
  )
}

const ImportsTable = ({ imports }: { imports: Import[] }) => (
  <Table verticalSpacing={6} aria-label={t(($) => $.imports.recent)}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t(($) => $.imports.file)}</Table.Th>
        <Table.Th visibleFrom="sm">{t(($) => $.common.created)}</Table.Th>
        <Table.Th className="right" visibleFrom="sm">
          {t(($) => $.imports.rows)}
        </Table.Th>
        <Table.Th>{t(($) => $.common.status)}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {imports.map((each) => (
        <Table.Tr key={each.id}>
          <Table.Td style={{ overflowWrap: "anywhere" }}>
            <Anchor component={Link} href={`/import/${each.id}`} size="sm">
              {each.fileName ?? each.id}
            </Anchor>
            <Text size="xs" c="dimmed">
              {importKinds[each.kind].title}
            </Text>
          </Table.Td>
          <Table.Td visibleFrom="sm">{moment(each.createdAt)}</Table.Td>
          <Table.Td className="right" visibleFrom="sm">
            {number(each.counts.rows)}
          </Table.Td>
          <Table.Td>
            <Badge color={statusColour[each.status]} variant="light" tt="none" fw={600}>
              {statusInWords(each)}
            </Badge>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
