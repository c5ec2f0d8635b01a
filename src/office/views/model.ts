import { defineResource, type RecordOf } from "../../core/kind/define"
import { boolean, createOnly, list, readOnly, reference, required, withDefault } from "../../core/kind/field"
import { text } from "../../core/kind/text-field"
import { businessAreas } from "../../shared/rights"

/** The filters, the sort order and the columns of a list under a name, for its owner or for everybody. */
export const views = defineResource({
  name: "views",
  variable: "VIEW",
  table: "saved_views",
  idPrefix: "viw",
  noun: "view",
  title: "View",
  about: "Saved views of lists: the filters, the sort order and the columns under a name.",
  names: {
    en: {
      title: "Views",
      one: "view",
      many: "views",
      the: "the view",
      fields: {
        list: "List",
        query: "Filters",
        columns: "Columns",
        isShared: "For everybody",
        owner: "Owner",
      },
    },
    de: {
      title: "Ansichten",
      one: "Ansicht",
      many: "Ansichten",
      the: "die Ansicht",
      fields: { list: "Liste", query: "Filter", columns: "Spalten", isShared: "Für alle", owner: "Besitzer" },
    },
  },
  rights: {
    read: { area: "own", scope: "read", notForApplications: true, alsoAreas: businessAreas },
    write: { area: "own", scope: "write", personal: true },
    remove: { area: "own", scope: "delete", personal: true },
  },
  search: [],
  scan: ["name"],
  fields: {
    name: required(text({ max: 60, examples: ["Overdue in France"] })),
    list: createOnly(
      required({
        ...text({
          max: 40,
          examples: ["invoices"],
          description: "The list: the name of its kind in the URL",
          check: (value) =>
            /^[a-z][a-z-]*$/.test(value)
              ? { value }
              : { error: "must be the name of a kind, such as sales-orders", format: "printable" },
        }),
        isExact: true,
      }),
    ),
    query: {
      ...text({ max: 2_000, examples: ["status=overdue"], description: "The parameters of the list" }),
      isExact: true,
    },
    columns: withDefault(list(text({ max: 60, examples: ["status"] }), { max: 50 }), []),
    isShared: withDefault(boolean(), false),
    owner: readOnly(reference("usr")),
  },
})

export type View = RecordOf<typeof views>
