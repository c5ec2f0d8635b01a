import { Box, Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { IconArrowLeft, IconPrinter } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { Link } from "wouter"
import { callForText } from "../api/client"
import { Loaded } from "../parts/loaded"
import { Page } from "../parts/page"

const parents = {
  "sales-orders": { title: "Orders", href: "/orders" },
  invoices: { title: "Invoices", href: "/invoices" },
}

type Props = { kind: "sales-orders" | "invoices"; id: string }

/** A document as it looks on paper. */
export default function Print({ kind, id }: Props) {
  const query = useQuery({
    queryKey: [kind, id, "print"],
    queryFn: () => callForText(`/${kind}/${id}/print`),
  })
  return <Loaded query={query}>{(html) => <Sheet html={html} kind={kind} id={id} />}</Loaded>
}

/** The document is a page of its own, so that nothing of the console gets onto the paper; it runs no scripts. */
function Sheet({ html, kind, id }: Props & { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [title, setTitle] = useState("Print")
  const fit = () => {
    const page = frame.current?.contentDocument
    if (!frame.current || !page) return
    frame.current.style.height = `${page.documentElement.scrollHeight}px`
    // The paper's own title ends in the company's name, which the head of the console has already.
    setTitle(page.title.split(" · ")[0] || "Print")
  }
  return (
    <>
      <Box className="no-print">
        <Page
          title={title}
          parent={parents[kind]}
          actions={
            <>
              <Button
                component={Link}
                href={`${parents[kind].href}/${id}`}
                variant="default"
                leftSection={<IconArrowLeft size={16} />}
              >
                Back
              </Button>
              <Button
                leftSection={<IconPrinter size={16} />}
                onClick={() => frame.current?.contentWindow?.print()}
              >
                Print
              </Button>
            </>
          }
        >
          {null}
        </Page>
      </Box>
      <iframe
        ref={frame}
        title="The document"
        srcDoc={html}
        sandbox="allow-same-origin allow-modals"
        onLoad={fit}
        style={{
          display: "block",
          width: "100%",
          height: "60vh",
          border: 0,
          background: "white",
          colorScheme: "light",
        }}
      />
    </>
  )
}
