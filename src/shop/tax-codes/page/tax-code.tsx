import { useMay, useRecord } from "../../../console/api/hooks"
import type { TaxCode } from "../../../console/api/types"
import { number } from "../../../console/format"
import { Loaded } from "../../../console/parts/loaded"
import { NewRecord } from "../../../console/parts/new-record"
import { OnlyFor } from "../../../console/parts/only-for"
import { RecordPage } from "../../../trade/page/record-page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { useDelete } from "../../../console/parts/use-delete"
import { useDuplicate } from "../../../console/parts/use-duplicate"
import { t } from "../../../console/texts"
import { TaxCodeForm } from "./tax-code-form"

const href = "/settings/tax-codes"
const parent = { title: t(($) => $.taxCodes.title), href }

/** The page of a tax code: its form and timeline. */
export default function TaxCodePage({ id }: { id: string }) {
  const query = useRecord("tax-codes", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="items"
        scope="write"
        title={t(($) => $.taxCodes.new)}
        parent={parent}
        sentence={t(($) => $.taxCodes.onlyFor)}
      >
        <NewRecord kind="tax-codes" title={t(($) => $.taxCodes.new)} parent={parent}>
          {(copied, startAgain) => <TaxCodeForm taxCode={null} copied={copied} startAgain={startAgain} />}
        </NewRecord>
      </OnlyFor>
    )
  return <Loaded query={query}>{(taxCode) => <Existing taxCode={taxCode} />}</Loaded>
}

function Existing({ taxCode }: { taxCode: TaxCode }) {
  const may = useMay()
  const { id, version, code, name, category, rate, isUsed, isActive } = taxCode
  const duplicate = useDuplicate(href, id)
  const removal = useDelete({ kind: "tax-codes", id, version, name, to: href })
  return (
    <RecordPage
      kind="tax-codes"
      record={taxCode}
      title={name}
      parent={parent}
      badge={<StatusBadge status={isActive ? "active" : "inactive"} />}
      facts={[
        { label: t(($) => $.taxCodes.code), value: code },
        { label: t(($) => $.taxCodes.category), value: t(($) => $.values.taxCategory[category]) },
        { label: t(($) => $.taxCodes.rate), value: `${number(rate)} %`, isStrong: true },
        {
          label: t(($) => $.common.status),
          value: isUsed ? t(($) => $.taxCodes.used) : t(($) => $.taxCodes.unused),
        },
      ]}
      more={{
        actions: [may("items", "write") && duplicate, may("items", "delete") && !isUsed && removal.action],
        isBusy: removal.isBusy,
      }}
    >
      <TaxCodeForm taxCode={taxCode} />
    </RecordPage>
  )
}
