import type { Database } from "./engine/engine"
import { isNumbered, type Numbered, type Resource } from "./kind/define"
import type { MoneyContext } from "./kind/field"
import type { Draft } from "./kind/read"
import { tableCrud } from "./store/crud"
import type { GivenNumber } from "./store/numbers"
import type { TableStore } from "./store/table-store"
import type { Tx } from "./write/writer"

/** What every service can use. It knows no kind. */
export type Core = {
  db: Database
  storeOf: <R extends Resource>(kind: R) => TableStore<R>
  moneyContext: (at?: string) => MoneyContext
  /** Gives the next number to a new record: of the given date, or else of today. */
  nextNumber: (tx: Tx, kind: Numbered, date?: string) => GivenNumber
}

/** A kind that is one table: reading, listing, creating with a number if the kind has numbers, updating and deleting. */
export const plain = <R extends Resource>(kind: R) => ({
  kind,
  service({ storeOf, nextNumber }: Pick<Core, "storeOf" | "nextNumber">) {
    const crud = tableCrud(kind, storeOf(kind))
    type T = ReturnType<typeof crud.get>
    const numberOf = (tx: Tx): Partial<T> =>
      isNumbered(kind) ? ({ [kind.numbers.field]: nextNumber(tx, kind).number } as Partial<T>) : {}
    return { ...crud, create: (tx: Tx, draft: Draft): T => crud.make(tx, draft, () => numberOf(tx)) }
  },
})

/** What a folder adds. Its function declares in the type of its argument which other services it needs. */
type Folders = Record<string, { service: (the: never) => unknown }>
export type ServicesOf<F extends Folders> = { [K in keyof F]: ReturnType<F[K]["service"]> }

/** Does not compile if a service needs another one that is missing. */
type Needed<C, F extends Folders> = { [K in keyof F]: { service: (the: C & ServicesOf<F>) => unknown } }

/**
 * Creates the services of all folders. Each one is created when it is first used, so their order follows from what they
 * need. Two services that need each other use `the.other` inside their functions. A service does not spread what it gets:
 * that would create all others.
 */
export function install<C extends object, F extends Folders>(
  core: C,
  folders: F & Needed<C, F>,
): ServicesOf<F> {
  const the = Object.assign<Record<string, unknown>, C>({}, core)
  const begun: string[] = []
  for (const [name, { service }] of Object.entries(folders as Folders))
    Object.defineProperty(the, name, {
      enumerable: true,
      configurable: true,
      get() {
        if (begun.includes(name))
          throw new Error(`These services need each other: ${begun.join(" → ")} → ${name}`)
        begun.push(name)
        const value = service(the as never)
        begun.pop()
        Object.defineProperty(the, name, { enumerable: true, value })
        return value
      },
    })
  return Object.fromEntries(Object.keys(folders).map((name) => [name, the[name]])) as ServicesOf<F>
}
