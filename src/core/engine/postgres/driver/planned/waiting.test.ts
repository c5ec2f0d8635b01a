import { describe, expect, test } from "bun:test"
import { translate } from "../translate"
import { WaitingStatements } from "./waiting"

const insert = (table: string) => translate(`INSERT INTO ${table} (id, name) VALUES (?, ?)`)
const sent = (waiting: WaitingStatements): string[] => waiting.take().map(({ sql }) => sql)

/** A list of statements as it is written here: `+a` inserts a row into the table `a`. */
function waitingFor(...steps: string[]): WaitingStatements {
  const waiting = new WaitingStatements()
  for (const step of steps) {
    if (step.startsWith("+")) waiting.addEach(insert(step.slice(1)), [[1, "x"]])
    else if (step.includes("?")) waiting.addEach(translate(step), [[1]])
    else waiting.add(translate(step))
  }
  return waiting
}

describe("rows of a table", () => {
  test("are one statement, and tables stay in the order of their first rows", () => {
    const statements = sent(waitingFor("+orders", "+lines", "+lines", "+orders"))
    expect(statements).toHaveLength(2)
    expect(statements[0]).toStartWith(
      "INSERT INTO orders (id, name) SELECT id, name FROM json_populate_recordset",
    )
    expect(statements[1]).toStartWith("INSERT INTO lines")
  })

  test("are not moved before a statement on the same table", () => {
    expect(sent(waitingFor("+a", "UPDATE a SET name = '' WHERE id = ?", "+a"))).toEqual([
      insert("a").sql,
      "UPDATE a SET name = '' WHERE id = $1",
      insert("a").sql,
    ])
    expect(sent(waitingFor("+a", "UPDATE b SET name = '' WHERE id = ?", "+a"))).toHaveLength(2)
  })
})

test("a number that JSON does not have is refused, and not sent as null", () => {
  const waiting = new WaitingStatements()
  waiting.addEach(insert("a"), [
    [1, "x"],
    [Number.NaN, "y"],
  ])
  expect(() => waiting.take()).toThrow("NaN")
})

describe("a savepoint that was not sent", () => {
  test("is forgotten with its release, and rows around it are one statement", () => {
    const waiting = waitingFor("SAVEPOINT one", "+a", "RELEASE one", "SAVEPOINT one", "+a", "RELEASE one")
    expect(sent(waiting)).toHaveLength(1)
  })

  test("undoes only what was done after it", () => {
    const undo = ["ROLLBACK TO one", "RELEASE one"]
    expect(sent(waitingFor("+a", "SAVEPOINT one", "+a", "+b", ...undo, "+c"))).toEqual([
      insert("a").sql,
      insert("c").sql,
    ])
  })

  test("is sent before what follows it, if something must be sent before its end", () => {
    const waiting = waitingFor("+a", "SAVEPOINT one", "+a")
    expect(sent(waiting)).toEqual([insert("a").sql, "SAVEPOINT one", insert("a").sql])
    waiting.add(translate("RELEASE one"))
    expect(sent(waiting)).toEqual(["RELEASE one"])
  })

  test("can be inside another one", () => {
    const inner = ["SAVEPOINT part", "+b", "ROLLBACK TO part", "RELEASE part"]
    expect(sent(waitingFor("SAVEPOINT one", "+a", ...inner, "+a", "RELEASE one"))).toHaveLength(1)
  })
})
