import { Parser } from "htmlparser2"
import { damaged } from "./zip"

export type Attributes = Readonly<Record<string, string | undefined>>

/** What is called for the parts of an XML text. Names of tags are without their namespace. */
export type XmlHandlers = {
  open(name: string, attributes: Attributes): void
  close?(name: string): void
  /** A text may come in several parts. */
  text?(text: string): void
}

/** No tag and no text between two tags of a table is as long. */
const longestToken = 2_000_000
/** No part of a table has as many tags inside each other. */
const mostNested = 100

/** Reads an XML text in parts. Document types are refused, because they can define entities. */
export function xmlScanner({ open, close, text }: XmlHandlers): (part: string) => void {
  let [length, nested] = [0, 0]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        length = 0
        if (++nested > mostNested) throw damaged()
        open(localName(name), attributes)
      },
      onclosetag(name) {
        length = 0
        nested--
        close?.(localName(name))
      },
      ontext: text,
      onprocessinginstruction(name) {
        if (name.startsWith("!")) throw damaged()
      },
    },
    { xmlMode: true },
  )
  return (part) => {
    length += part.length
    parser.write(part)
    if (length > longestToken) throw damaged()
  }
}

export async function readXml(parts: AsyncIterable<string>, on: XmlHandlers): Promise<void> {
  const scan = xmlScanner(on)
  for await (const part of parts) scan(part)
}

export const localName = (name: string): string => name.slice(name.indexOf(":") + 1)
