// A server that is killed while it makes the invoices of recurring ones, and reminders.
import { afterAll, expect, test } from "bun:test"
import { randomFrom } from "../../scripts/faults/random"
import { seedOf } from "../support/same-choices"
import { signIn } from "../support/api"
import { cleanUp, run, serve } from "../support/kontor"
import { isLong } from "../support/long"
import {
  countMade,
  countReminders,
  expectEachOnce,
  expectEachReminded,
  periodsEach,
  remindOfMany,
  writeTemplates,
} from "../support/periods"
import { until } from "../support/until"

afterAll(cleanUp)

const [templates, rounds] = isLong ? [150, 40] : [30, 8]
const debts = 60

test("each period gets one invoice and each debt one reminder, although the server is killed again and again meanwhile", async () => {
  const random = randomFrom(seedOf("recurring-killed"))
  let kontor = await serve()
  const first = await signIn(kontor)
  await remindOfMany(first, debts)
  await writeTemplates(first, templates)
  // The work begins a tenth of a second after the start.
  for (let kills = 0; kills < rounds; kills++) {
    await Bun.sleep(random.between(0, 250))
    await kontor.stop("SIGKILL")
    kontor = await serve({ cwd: kontor.cwd })
  }
  const api = await signIn(kontor)
  await until(async () => (await countMade(api)) >= templates * periodsEach)
  await expectEachOnce(api, templates)
  await until(async () => (await countReminders(api)) >= debts)
  await expectEachReminded(api, debts)
  expect(await run(["check", "--db", kontor.file], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
})
