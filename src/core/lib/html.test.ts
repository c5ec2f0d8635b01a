import { expect, test } from "bun:test"
import { asIs, html, toText } from "./html"

test("template values are escaped, also inside an attribute", () => {
  const name = `<b title="x" class='y'>&amp;`
  expect(toText(html`<p title="${name}">${name}</p>`)).toBe(
    `<p title="&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;amp;">&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;amp;</p>`,
  )
})

test("templates nest, lists are joined, and null and undefined are empty", () => {
  const words = ["a", "<"].map((word) => html`<i>${word}</i>`)
  const line = html`<b>${words}${null}${undefined}${0}${asIs("<br>")}</b>`
  expect(toText(html`<p>${line}</p>`)).toBe("<p><b><i>a</i><i>&lt;</i>0<br></b></p>")
})

test("a value parsed from JSON is never treated as markup", () => {
  const forged = JSON.parse('{"markup":"<script>","Symbol(markup)":"<script>"}')
  expect(() => toText(html`${forged}`)).toThrow()
})
