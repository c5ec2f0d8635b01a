const markup = Symbol("markup")

/** Text that is markup already. Only this file makes it, so nothing that came from outside can pass for it. */
export type Html = { readonly [markup]: string }

/** What may stand in a template: text is escaped, lists are joined, nothing stays nothing. */
type Part = string | number | null | undefined | Html | readonly Html[]

/** html`<p>${name}</p>`: the template is markup, and whatever is put into it is text. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  asIs(strings.reduce((text, string, i) => text + written(parts[i - 1]) + string))

/** Our own text that is markup as it stands, such as a stylesheet. Never for what a person wrote. */
export const asIs = (text: string): Html => ({ [markup]: text })

export const toText = (part: Html): string => part[markup]

const written = (part: Part): string => {
  if (part === null || part === undefined) return ""
  if (typeof part !== "object") return escaped(String(part))
  return markup in part ? part[markup] : part.map(toText).join("")
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")
