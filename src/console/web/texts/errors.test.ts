import { beforeAll, expect, test } from "bun:test"
import i18next from "i18next"
import type { FieldError } from "../../../lib/refusal"
import de from "./de"
import { errors } from "./de/errors"
import { detailIn } from "./errors"

beforeAll(async () => {
  await i18next.init({ lng: "de", resources: { de: { translation: de } } })
})

const detail = (code: FieldError["code"], params: FieldError["params"]): FieldError => ({
  field: "quantity",
  code,
  message: "",
  params,
})

test.each<[FieldError, string]>([
  [detail("TOO_SMALL", { min: 1 }), "Mindestens 1"],
  [detail("TOO_SMALL", { above: 0 }), "Muss größer als 0 sein"],
  [detail("TOO_LONG", { max: 100 }), "Höchstens 100 Zeichen oder Einträge"],
  [detail("FORMAT", { decimals: 4 }), "Höchstens 4 Nachkommastellen"],
  [detail("FORMAT", { allowed: ["asc", "desc"] }), "Möglich sind: asc, desc"],
  [detail("FORMAT", { format: "date" }), "Geben Sie ein gültiges Datum ein"],
  [detail("RULE", { rule: "STATUS", status: "paid" }), "Im Status Bezahlt nicht möglich"],
  [detail("RULE", { rule: "A_NEW_RULE" }), "Das ist nicht erlaubt"],
  [detail("DUPLICATE", { value: "DESK" }), "DESK ist schon vergeben"],
])("An error of a field is a German sentence with its values: %j", (given, sentence) => {
  expect(detailIn(errors, given)).toBe(sentence)
})
