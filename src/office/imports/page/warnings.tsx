import { Alert, Anchor, Text } from "@mantine/core"
import { kindOf } from "../../../console/kinds"
import { number } from "../../../console/format"
import { inSentence } from "../../../console/texts/fields"
import { type Import, nameOfField } from "./kinds"
import { t } from "./texts"

/** The number of rows that are shown. */
const most = 20

/** The rows that may be records which exist already. They are imported all the same. */
export function ImportWarnings({ of: { warnings, warningCount, kind } }: { of: Import }) {
  if (warningCount === 0) return null
  const shown = warnings.slice(0, most)
  return (
    <Alert color="orange" title={t(($) => $.mayExist, { count: warningCount, shown: number(warningCount) })}>
      <Text size="sm" mb="xs">
        {t(($) => $.mayExistHint)}
      </Text>
      {shown.map(({ row, params }) => (
        <Text key={row} size="sm" style={{ overflowWrap: "anywhere" }}>
          {`${t(($) => $.row)} ${number(row)}: `}
          <Other kind={kind} params={params} />
          {` (${params.fields.map((field) => inSentence(nameOfField(field))).join(", ")})`}
        </Text>
      ))}
      {warningCount > shown.length && (
        <Text size="sm">{t(($) => $.mayExistMore, { shown: number(warningCount - shown.length) })}</Text>
      )}
    </Alert>
  )
}

type OtherProps = Pick<Import, "kind"> & Pick<Import["warnings"][number], "params">

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
