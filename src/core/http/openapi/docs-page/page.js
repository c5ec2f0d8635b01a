// Runs on /docs before Scalar's script.

// Scalar's validation library tests whether it may compile code. The page's policy forbids that, and Chrome would log it.
globalThis.__zod_globalConfig = { jitless: true }

let sections

/** The text below a heading of the guide. docs.ts makes Scalar's search call it. */
globalThis.guideSection = ({ info }, title) => {
  sections ??= new Map(sectionsOf(info.description).map((part) => [/^#+ (.*)/.exec(part)?.[1], part]))
  return sections.get(title) ?? ""
}

/** Splits a text before each heading. A line in a code block may begin with # as well. */
const sectionsOf = (text) =>
  text
    .split("```")
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll(/^(?=##? )/gm, "\0")))
    .join("```")
    .split("\0")

/** Copies a text. Browsers have no clipboard on an address that is neither https nor this machine. */
async function copy(code) {
  if (navigator.clipboard) return navigator.clipboard.writeText(code.textContent)
  getSelection().selectAllChildren(code)
  document.execCommand("copy")
  getSelection().removeAllRanges()
}

/** The words of the button are in the stylesheet, so that Scalar's search does not find them in the guide. */
function addCopyButton(block) {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "copy"
  button.ariaLabel = "Copy"
  button.addEventListener("click", async () => {
    await copy(block.querySelector("code"))
    button.classList.add("copied")
    setTimeout(() => button.classList.remove("copied"), 2000)
  })
  block.append(button)
}

// Scalar gives its own samples such a button, but not the code blocks of the guide.
new MutationObserver(() => {
  for (const block of document.querySelectorAll(".introduction-description pre:not(:has(.copy))"))
    addCopyButton(block)
}).observe(document, { childList: true, subtree: true })
