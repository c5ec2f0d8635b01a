import { Anchor, List, Text } from "@mantine/core"
import { Link } from "wouter"
import { number } from "../../console/format"
import { t } from "./e-invoice-texts"
import { missingInWords, type Missing, type MissingLines } from "./e-invoice-words"

type Props = {
  missing: readonly Missing[]
  lines?: MissingLines
  /** Returns the path of the page where the user can fill in a field; null if there is none. */
  hrefOf?: (missing: Missing) => string | null
  /** Why the user cannot fill in the fields of the company. */
  sellerHint?: string
}

const mostShown = 8

/** What an e-invoice lacks, one sentence each, with a link to where it is filled in. */
export function MissingList({ missing, lines, hrefOf = () => null, sellerHint }: Props) {
  // Several lines can lack the same, such as the code of their unit.
  const sentences = new Map(missing.map((each) => [missingInWords(each, lines), each]))
  const more = sentences.size - mostShown
  return (
    <>
      <List size="sm" spacing={4}>
        {[...sentences].slice(0, mostShown).map(([sentence, each]) => (
          <List.Item key={sentence}>
            <Sentence text={sentence} href={hrefOf(each)} />{" "}
            {sellerHint && each.field.startsWith("seller.") && `${sellerHint} `}
            <Text component="code" size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
              {each.rule}
            </Text>
          </List.Item>
        ))}
      </List>
      {more > 0 && <Text size="sm">{t(($) => $.more, { shown: number(more) })}</Text>}
    </>
  )
}

const Sentence = ({ text, href }: { text: string; href: string | null }) =>
  href === null ? (
    text
  ) : (
    <Anchor component={Link} href={href} inherit>
      {text}
    </Anchor>
  )
