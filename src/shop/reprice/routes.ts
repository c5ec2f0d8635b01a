import { callerOf } from "../../core/http/request/call"
import { dryRunHeader } from "../../core/http/request/dry-run"
import { ok } from "../../core/http/answer/envelope"
import { runLongWork } from "../../core/http/answer/list-answer"
import { handled, post, type Route, type RouteCall } from "../../core/http/route/route"
import type { Writes } from "../../core/http/request/write"
import type { Input } from "../../core/kind/read"
import { items } from "../items/model"
import { jobCallerOf, jobSchema, shownJob } from "../../office/jobs/model"
import type { JobService } from "../../office/jobs/service"
import {
  type PriceChange,
  type Reprice,
  repriceKind,
  type RepricePreview,
  repricePreviewSchema,
  repriceSchema,
  undoDays,
} from "./model"
import type { RepriceService } from "./service"
import { Type } from "@sinclair/typebox"
import { assertNoErrors, fieldError, type FieldError } from "../../core/lib/refusal"
import { decimal, type MoneyContext } from "../../core/kind/field"
import { isObject, refuseOther, tellUnknown } from "../../core/kind/object"
import { fromUnits, largestPrice, priceDigits, toUnits } from "../../shared/decimal"
import { readFilter } from "./filter"

type Deps = { reprice: RepriceService; jobs: JobService; writes: Writes }
type Given = { given: RepriceRequest; input: Input }

/** POST /items/reprice. */
export const repriceRoutes = (deps: Deps): Route[] => [
  handled<Given>(
    "POST",
    "/items/reprice",
    {
      may: items.rights.write,
      alsoMay: items.rights.read,
      id: "repriceItems",
      tag: items.name,
      summary: "Change the prices of many items",
      description:
        "Changes the selling prices of all items that match the filter, by a percentage or an amount. The new prices are computed and stored first and applied then, in the background: `GET /jobs/{id}` tells how far it is. Each item gets one history entry. An item whose price is changed by somebody else meanwhile keeps that price, as does one whose new price would be negative; both are faults of the job. A dry run returns what would become of all items in `counts`, and the prices of the first ten before and after. The credential also needs the scope `read`.",
      readsQuery: true,
      guard: ({ call }) => void deps.writes.isDryRun(call),
      takesIdempotencyKey: true,
      body: {
        ...repriceBody,
        read: (input) => ({ given: readReprice(input, deps.reprice.moneyContext()), input }),
      },
      answer: {
        status: 202,
        description: "The job that changes the prices.",
        schema: repriceSchema,
        headers: ["Location"],
      },
      dryRunAnswer: {
        status: 200,
        description: "The result of a dry run.",
        schema: repricePreviewSchema,
      },
      refuses: [422],
    },
    (context) => run(deps, context),
  ),
  post(
    "/items/reprice/:id/undo",
    {
      may: items.rights.write,
      alsoMay: items.rights.read,
      id: "undoReprice",
      tag: items.name,
      summary: "Take back a change of many prices",
      description: `Starts a job that gives the items the prices back that they had before a change of prices, once and for ${undoDays} days after that job has ended, also if it was cancelled halfway. A price that is not the one that the change set is left alone, and is a fault of the new job. Only the user who started the job and admins can take it back.`,
      names: { id: "job" },
      answer: {
        status: 202,
        description: "The job that restores the prices.",
        schema: jobSchema,
        headers: ["Location"],
      },
      refuses: [404, 422],
    },
    (tx, { params: { id = "" }, caller, call }) => {
      const job = deps.reprice.undo(tx, deps.jobs, { id, caller: jobCallerOf(call), viewer: caller })
      return { status: 202, headers: { location: `/api/v1/jobs/${job.id}` }, data: shownJob(job, []) }
    },
  ),
]

async function run(
  { reprice, jobs, writes }: Deps,
  { call, request, set, body }: RouteCall & { body: Given },
) {
  const { given, input } = body
  const { isDry, ...wanted } = given
  const isDryRun = writes.isDryRun(call) || isDry
  if (!isDryRun) jobs.assertRoom(repriceKind, callerOf(call).userId)
  const preview = (await runLongWork(call, (signal) => reprice.preview(wanted, signal))) as RepricePreview
  if (isDryRun) {
    Object.assign(set.headers, dryRunHeader)
    return ok({ ...preview, counts: await runLongWork(call, (signal) => reprice.count(wanted, signal)) })
  }
  return writes.runPost({ call, request, set }, input, (tx) => {
    const job = reprice.begin(tx, jobs, jobCallerOf(call), { ...wanted, expected: preview.matched })
    return {
      status: 202,
      headers: { location: `/api/v1/jobs/${job.id}` },
      data: { ...shownJob(job, []), ...preview },
    }
  })
}

/** The multiples that prices can be rounded to. */
const roundings = [0.01, 0.05, 0.1, 1]
const changeFields = {
  percent: decimal({ min: -100, max: 1_000, example: 10 }),
  amount: decimal({ example: -2.5 }),
}
const ending = decimal({ min: 0, max: 0.9999, example: 0.99 })

const orNull = (type: string, rest: object) => Type.Unsafe({ type: [type, "null"], ...rest })

/** The body of a request. */
const repriceBody = {
  isOptional: false,
  schema: Type.Unsafe({
    type: "object",
    required: ["filter", "change"],
    additionalProperties: false,
    properties: {
      filter: {
        description:
          "The items: the filters of their list and `search`, as an object or as a query string. `{}` stands for all items.",
        anyOf: [
          { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
          { type: "string" },
        ],
      },
      change: {
        type: "object",
        description: "Either a percentage or an amount. With 0, prices are only rounded.",
        additionalProperties: false,
        properties: {
          percent: orNull("number", { minimum: -100, maximum: 1_000 }),
          amount: orNull("number", { minimum: -largestPrice, maximum: largestPrice }),
        },
      },
      round: {
        anyOf: [{ type: "number", enum: roundings }, { type: "null" }],
        description:
          "New prices are multiples of it, the nearest ones. By default they have the decimals of the currency.",
      },
      ending: orNull("number", {
        minimum: 0,
        exclusiveMaximum: 1,
        description:
          "What new prices have after the decimal sign, such as 0.99: each is the nearest one with it. It must be a multiple of `round`. A price of 0 stays 0.",
      }),
      dryRun: orNull("boolean", { description: "The same as the parameter." }),
    },
  }),
  example: {
    filter: { category: "Furniture", "sellingPrice[gte]": 10 },
    change: { percent: 10 },
    ending: 0.99,
  },
}

/** A request: what to change, and whether only to show it. */
type RepriceRequest = Reprice & { isDry: boolean }

/** Validates a body, and reports all invalid fields together. */
function readReprice(input: Input, moneyContext: MoneyContext): RepriceRequest {
  const errors: FieldError[] = []
  tellUnknown(input, ["filter", "change", "round", "ending", "dryRun"], errors)
  const filter = readFilter(input.filter, moneyContext, errors)
  const by = readChange(input.change, errors)
  const step = readStep(input.round, moneyContext, errors)
  const end = readEnding(input.ending, step, errors)
  const { dryRun = null } = input
  if (dryRun !== null && typeof dryRun !== "boolean")
    errors.push(fieldError("dryRun", "TYPE", "must be true or false", { type: "boolean" }))
  assertNoErrors(errors)
  return { filter: filter ?? "", change: { ...by, step, ending: end }, isDry: dryRun === true }
}

const unitsOf = (value: number): number => toUnits(value, priceDigits) ?? 0

function readChange(given: unknown, errors: FieldError[]): Pick<PriceChange, "by" | "value"> {
  const none = { by: "percent", value: 0 } as const
  const wrong = (error: FieldError) => (errors.push(error), none)
  if (given === undefined || given === null) return wrong(fieldError("change", "REQUIRED", "is required"))
  if (!isObject(given)) return refuseOther("change", errors) ?? none
  tellUnknown(given, ["percent", "amount"], errors, "change.")
  const named = (["percent", "amount"] as const).filter((name) => (given[name] ?? null) !== null)
  const [value, otherValue] = named.map((name) =>
    changeFields[name].read(given[name], `change.${name}`, errors, "create"),
  )
  const [by] = named
  if (by === undefined) return wrong(fieldError("change", "REQUIRED", "must have either percent or amount"))
  // An invalid value has its error already.
  if (otherValue !== undefined)
    return wrong(
      fieldError("change.amount", "RULE", "cannot be combined with percent", {
        rule: "EXCLUSIVE",
        other: "percent",
      }),
    )
  return { by, value: unitsOf(value ?? 0) }
}

/** Returns what prices are multiples of, in 1/10000. */
function readStep(given: unknown, { digits }: MoneyContext, errors: FieldError[]): number {
  if (given === undefined || given === null) return 10 ** (priceDigits - digits)
  if (typeof given === "number" && roundings.includes(given)) return unitsOf(given)
  const allowed = roundings.map(String)
  errors.push(fieldError("round", "FORMAT", `must be one of ${allowed.join(", ")}`, { allowed }))
  return 1
}

/** A price with the ending is a multiple of the step too, so the ending must be one. */
function readEnding(given: unknown, step: number, errors: FieldError[]): number | null {
  if (given === undefined || given === null) return null
  const value = ending.read(given, "ending", errors, "create")
  if (value === undefined) return null
  const units = unitsOf(value)
  const multiple = fromUnits(step, priceDigits)
  if (units % step !== 0)
    errors.push(
      fieldError("ending", "RULE", `must be a multiple of ${multiple}, because prices are rounded to it`, {
        rule: "MULTIPLE",
        value: multiple,
      }),
    )
  return units
}
