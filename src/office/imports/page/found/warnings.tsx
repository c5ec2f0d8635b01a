import { Alert, Anchor, Text } from "@mantine/core"
import { kindOf } from "../../../../console/kinds"
import { number } from "../../../../console/format"
import { inSentence } from "../../../../console/texts/fields"
import type { Resembled } from "../../resemblance"
import { type DuplicateChoice, type Import, mayHaveDuplicates, nameOfField } from "../kinds"
import { t as imports } from "../texts"
import { t } from "./texts"

/** The number of rows that are shown. */
const most = 20

type Props = { of: Import; choice: DuplicateChoice | undefined }

/** The rows that may be records which exist already, and what becomes of them. */
export function ImportWarnings({ of: { warnings, kind, mode }, choice = "create" }: Props) {
  const found = warnings.flatMap(({ row, code, params }) =>
    code === "POSSIBLE_DUPLICATE" ? [{ row: row ?? 0, params: params as Resembled }] : [],
  )
  const count = found.length
  if (count === 0) return null
  const shown = found.slice(0, most)
  return (
    <Alert color="orange" title={t(($) => $.mayExist, { count, shown: number(count) })}>
      <Text size="sm" mb="xs">
        {t(($) =>
          mayHaveDuplicates({ kind, mode }) && choice !== "create" ? $.mostExistHint : $.mayExistHint,
        )}
      </Text>
      {shown.map(({ row, params }) => (
        <Text key={row} size="sm" style={{ overflowWrap: "anywhere" }}>
          {`${imports(($) => $.row)} ${number(row)}: `}
          <Other kind={kind} params={params} />
          {` (${params.fields.map((field) => inSentence(nameOfField(field))).join(", ")})`}
        </Text>
      ))}
    </Alert>
  )
}

type OtherProps = Pick<Import, "kind"> & { params: Resembled }

/** The record that exists, or the earlier row of the file. */
function Other({ kind, params: { existing, name, number: code, row = 0 } }: OtherProps) {
  const path = existing && kindOf(kind)?.recordPath?.(existing)
  if (!path) return t(($) => $.likeRow, { row: number(row) })
  return (
    <Anchor href={`/console${path}`} target="_blank" inherit>
      {`${name} (${code})`}
    </Anchor>
  )
}
