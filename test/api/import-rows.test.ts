import { afterAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { faultsOf, importer } from "../support/imports"
import { cleanUp, serve } from "../support/kontor"

const kontor = await serve()
const api = await signIn(kontor)
const imports = importer(api)
afterAll(cleanUp)

describe("The number of a customer in a file", () => {
  const customersBy = async (query: string) => (await api.get(`/customers?${query}`)).body.data

  test("that does not exist is a fault of an upsert, which says what to do", async () => {
    const ended = await imports.run("kind=customers&mode=upsert", "Kundennummer,Name\n10001,Alt GmbH\n")
    expect(faultsOf(ended)).toEqual([
      [
        2,
        "customerNumber",
        'customerNumber "10001" does not exist. Numbers are assigned by Kontor: map this column to externalId instead, or leave the cell empty.',
      ],
    ])
    expect(ended.faults[0]).toMatchObject({
      code: "RULE",
      params: { rule: "NUMBER_ASSIGNED", value: "10001" },
    })
    const updated = await imports.run("kind=customers&mode=update", "customerNumber,name\n10001,Alt GmbH\n")
    expect(faultsOf(updated)).toEqual([[2, "customerNumber", 'customerNumber "10001" does not exist.']])
  })

  test("that does not exist creates a customer with the next number if the row has an external id", async () => {
    const file = "customerNumber,name,externalId\n10002,Neu GmbH,old-2\n"
    expect(await imports.run("kind=customers&mode=upsert", file)).toMatchObject({ counts: { created: 1 } })
    expect(await imports.run("kind=customers&mode=upsert", file)).toMatchObject({ counts: { unchanged: 1 } })
    const [customer] = await customersBy("externalId=old-2")
    expect(customer.customerNumber).toStartWith("CUST-")
  })

  test("is not imported into new customers, and the column says so", async () => {
    const file = "customerNumber,name\n10003,Drittes\n"
    const noteIn = async (mode: string) =>
      (await imports.run(`kind=customers&dryRun=true&mode=${mode}`, file)).columns[0]
    expect(await noteIn("create")).toMatchObject({ field: "customerNumber", note: "NUMBER_ASSIGNED" })
    expect(await noteIn("upsert")).not.toHaveProperty("note")
  })
})
