// Holds e-invoices of the built binary against the official rules, with a validator that is not part of Kontor:
//   bun scripts/e-invoice.ts --validator PATH [--documents 300] [--seed N]
//   bun scripts/e-invoice.ts --validator PATH --golden    writes and checks the XML that the tests compare
import { isDeepStrictEqual, parseArgs } from "node:util"
import { join } from "node:path"
import { signIn, type Api } from "../test/support/api"
import { byLines, goldenFileOf, goldenPapers } from "../test/support/golden-papers"
import { cleanUp, emptyFolder, serve } from "../test/support/kontor"
import { xmlFormats, xmlProfiles, type XmlProfile } from "../src/trade/paper/model"
import { xmlOf } from "../src/trade/paper/e-invoice/xml"
import { furnish, sell, tell, type Issued } from "./e-invoice/shops"
import { validate } from "./e-invoice/validate"

const { values } = parseArgs({
  options: {
    validator: { type: "string" },
    documents: { type: "string", default: "300" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    golden: { type: "boolean", default: false },
  },
})
if (!values.validator) {
  console.error("Usage: bun scripts/e-invoice.ts --validator PATH [--documents 300] [--seed N] [--golden]")
  process.exit(2)
}
const { validator } = values
const binary = `${import.meta.dir}/../dist/kontor`
const seed = Number(values.seed)

/** What was found wrong, in a sentence each. */
const faults: string[] = []
/** The files to validate, by profile. */
const files: Record<XmlProfile, string[]> = { en16931: [], xrechnung: [] }
const counts = { valid: 0, refused: 0 }

/** The shops: those of the model-based test in two currencies, and sales without the model where it has no rules. */
const shops = [
  { currency: "EUR", life: tell },
  { currency: "CHF", life: tell },
  { currency: "EUR", life: sell },
  { currency: "JPY", life: sell },
]

async function open(): Promise<void> {
  const folder = emptyFolder()
  const wanted = Math.ceil(Number(values.documents) / shops.length)
  for (const [i, { currency, life }] of shops.entries()) {
    const kontor = await serve({ command: [binary] })
    const api = await signIn(kontor)
    await furnish(api, currency)
    const before = counts.valid
    for await (const issued of life(api, seed)) {
      for (const document of issued) await download(api, document, join(folder, `${i}-${currency}`))
      if (counts.valid - before >= wanted) break
    }
    await kontor.stop()
    console.log(`${currency}: ${counts.valid - before} valid documents, ${counts.refused} refused so far`)
  }
}

/** Downloads a document in all forms. What the check says and what the download does must agree. */
async function download(api: Api, { kind, id }: Issued, prefix: string): Promise<void> {
  const verdicts: boolean[] = []
  for (const profile of xmlProfiles) {
    const { valid, missing } = (await api.get(`/${kind}/${id}/e-invoice?profile=${profile}`)).body.data
    verdicts.push(valid)
    for (const format of xmlFormats) {
      const answer = await api.get(`/${kind}/${id}/xml?format=${format}&profile=${profile}`)
      if (answer.status !== (valid ? 200 : 422))
        faults.push(`${kind}/${id}: ${answer.status}, valid: ${valid}`)
      if (answer.status === 422 && !isDeepStrictEqual(detailsOf(answer.body), missing))
        faults.push(`${kind}/${id}: the details are not what the check says`)
      if (answer.status !== 200) continue
      const file = `${prefix}-${id}.${format}-${profile}.xml`
      await Bun.write(file, answer.text)
      files[profile].push(file)
    }
  }
  counts[verdicts.every(Boolean) ? "valid" : "refused"]++
}

type Detail = { field: string; rule: string; message: string }
const detailsOf = (body: { error: { details: Detail[] } }): Detail[] =>
  body.error.details.map(({ field, rule, message }) => ({ field, rule, message }))

/** Writes the XML of the tests. */
async function writeGolden(): Promise<void> {
  for (const { paper, ...golden } of goldenPapers) {
    const file = goldenFileOf(golden)
    await Bun.write(file, byLines(xmlOf(paper, golden.format, golden.profile)))
    files[golden.profile].push(file)
  }
}

try {
  await (values.golden ? writeGolden() : open())
  for (const profile of xmlProfiles) {
    const failures = await validate(validator, files[profile], profile === "xrechnung")
    for (const { file, rules } of failures) {
      faults.push(`${file} breaks ${rules.join("; ")}`)
      console.log(await Bun.file(file).text())
    }
    console.log(
      `${profile}: ${files[profile].length - failures.length} of ${files[profile].length} files accepted`,
    )
  }
  console.log(`${counts.valid} documents, ${counts.refused} refused, seed ${seed}, ${faults.length} faults`)
  for (const fault of faults) console.log(fault)
} finally {
  await cleanUp()
}
process.exit(faults.length > 0 ? 1 : 0)
