import { describe, expect, test } from "bun:test"
import { allTexts } from "../../../test/support/texts"
import { errors } from "./de/errors"

type Tree = { readonly [name: string]: string | Tree }

/** All texts by their paths: `signIn.title`. */
const flat = (tree: Tree, path = ""): [path: string, text: string][] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === "string" ? [[path + name, value] as [string, string]] : flat(value, `${path}${name}.`),
  )
const valuesIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted()

const [en, de] = [await allTexts("en"), await allTexts("de")]

describe("the German texts", () => {
  const english = new Map(flat(en))

  test("contain the same values as the English ones", () => {
    for (const [path, text] of flat(de))
      expect([path, valuesIn(text)]).toEqual([path, valuesIn(english.get(path) ?? "")])
  })

  test("are written, and use real quotation marks and no spaces at their ends", () => {
    for (const [path, text] of [...flat(de), ...flat(errors)]) {
      expect([path, text]).not.toEqual([path, ""])
      expect([path, text.trim()]).toEqual([path, text])
      expect([path, text]).not.toEqual([path, expect.stringMatching(/["']/)])
    }
  })

  test("differ from the English ones, except for words that are the same", () => {
    const same = new Set(
      "BIC,Bank,Barcode,CSV,Enterprise,Excel (XLSX),Free,IBAN,ID,IONOS,IP,Logo,Microsoft 365,Name,OAuth2,PDF,Passkey,Port,Pro,Server,Status,Strato,System,Text,Token,URL,Version,Webhooks,Website".split(
        ",",
      ),
    )
    const hasWords = (text: string) => /\p{L}/u.test(text.replaceAll(/\{\{\w+\}\}/g, ""))
    const equal = flat(de).filter(
      ([path, text]) => text === english.get(path) && !same.has(text) && hasWords(text),
    )
    expect(equal).toEqual([])
  })

  test("call a tax code Steuerschlüssel, and other things by one word, too", () => {
    const others =
      /steuer-?(code|kennzeichen|kürzel)|gutschr[ei]|steuerliche behandlung|anschrift|lagerbuch|lagerbestand|zählung|datensatz|akteur|konsole|vertrieb|net 30/i
    const texts = [...flat(de), ...flat(errors)]
    expect(texts.filter(([, text]) => others.test(text))).toEqual([])
  })
})
