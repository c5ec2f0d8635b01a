import { Box, Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { IconArrowLeft, IconPrinter } from "../parts/icons"
import { useRef, useState } from "react"
import { Link } from "wouter"
import { callForText } from "../api/client"
import { kinds } from "../kinds"
import { Loaded } from "../parts/loaded"
import { Page } from "../parts/page"
import { t } from "../texts"

type Props = { kind: "sales-orders" | "invoices" | "credit-notes"; id: string }

/** The print preview of a document. */
export default function Print({ kind, id }: Props) {
  const query = useQuery({
    queryKey: [kind, id, "print"],
    queryFn: () => callForText(`/${kind}/${id}/print`),
  })
  return <Loaded query={query}>{(html) => <PrintFrame html={html} kind={kind} id={id} />}</Loaded>
}

/** Shows the document in a frame, so that nothing of the console is printed. The frame runs no scripts. */
function PrintFrame({ html, kind, id }: Props & { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [title, setTitle] = useState<string>(t(($) => $.documents.print))
  const adjustToContent = () => {
    const page = frame.current?.contentDocument
    if (!frame.current || !page) return
    frame.current.style.height = `${page.documentElement.scrollHeight}px`
    // The title of the document ends with the company name, which the header of the console already shows.
    setTitle(page.title.split(" · ")[0] || t(($) => $.documents.print))
  }
  const { title: parentTitle, path, recordPath } = kinds[kind]
  const print = () => frame.current?.contentWindow?.print()
  return (
    <>
      <Box className="no-print">
        <Page
          title={title}
          parent={{ title: parentTitle, href: path }}
          actions={<Actions back={recordPath(id)} onPrint={print} />}
        >
          {null}
        </Page>
      </Box>
      <iframe
        ref={frame}
        title={t(($) => $.printPreview.document)}
        srcDoc={html}
        sandbox="allow-same-origin allow-modals"
        onLoad={adjustToContent}
        style={paper}
      />
    </>
  )
}

const paper = {
  display: "block",
  width: "100%",
  height: "60vh",
  border: 0,
  background: "white",
  colorScheme: "light",
}

const Actions = ({ back, onPrint }: { back: string; onPrint: () => void }) => (
  <>
    <Button component={Link} href={back} variant="default" leftSection={<IconArrowLeft size={16} />}>
      {t(($) => $.printPreview.back)}
    </Button>
    <Button leftSection={<IconPrinter size={16} />} onClick={onPrint}>
      {t(($) => $.documents.print)}
    </Button>
  </>
)
