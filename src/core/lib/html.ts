const markup = Symbol("markup")

/** Trusted markup. Only this file creates it, so that untrusted input is never treated as markup. */
export type Html = { readonly [markup]: string }

/** A value in a template: text is escaped, lists are joined, null and undefined are empty. */
type Part = string | number | null | undefined | Html | readonly Html[]

/** html`<p>${name}</p>`: the template is markup, and its values are escaped as text. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  asIs(strings.reduce((text, string, i) => text + written(parts[i - 1]) + string))

/** Marks our own text as markup, such as a stylesheet. Never use it for user input. */
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
