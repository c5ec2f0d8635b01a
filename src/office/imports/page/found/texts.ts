import { textsOf } from "../../../../console/texts"

export const t = textsOf({
  en: {
    /** A link to the import of stock counts follows. */
    stockIsCounted: "Quantities in stock are imported after the items, as a stock count:",
    mayExist_one: "{{shown}} row may be a record that exists already",
    mayExist_other: "{{shown}} rows may be records that exist already",
    mostExistHint:
      "What becomes of those that exist with hardly a doubt is chosen below. The others are created.",
    duplicatesTitle: "Customers that exist already",
    duplicatesHint:
      "They have the same number or external ID, or else the same name together with the same email address or tax ID.",
    duplicates: {
      skip: "Leave them as they are",
      update: "Update them with the rows of the file",
      create: "Create them all the same, as new customers",
    },
    createCustomers: "Each row is a new customer, except those that exist already",
    mayExistHint: "They are imported all the same. Remove the rows from the file if they are the same.",
    likeRow: "the same as row {{row}}",
  },
  de: {
    stockIsCounted: "Bestände importieren Sie nach den Artikeln, als Inventur:",
    mayExist_one: "{{shown}} Zeile ist vielleicht schon vorhanden",
    mayExist_other: "{{shown}} Zeilen sind vielleicht schon vorhanden",
    mostExistHint:
      "Was mit denen geschieht, die es ziemlich sicher schon gibt, wählen Sie unten. Die anderen werden angelegt.",
    duplicatesTitle: "Kunden, die es schon gibt",
    duplicatesHint:
      "Sie haben dieselbe Nummer oder externe ID, oder sonst denselben Namen und dazu dieselbe E-Mail-Adresse oder USt-IdNr.",
    duplicates: {
      skip: "Überspringen: Sie bleiben, wie sie sind",
      update: "Mit den Zeilen der Datei ändern",
      create: "Trotzdem als neue Kunden anlegen",
    },
    createCustomers: "Jede Zeile ist ein neuer Kunde, außer denen, die es schon gibt",
    mayExistHint:
      "Sie werden trotzdem importiert. Löschen Sie die Zeilen in der Datei, wenn es dieselben sind.",
    likeRow: "wie Zeile {{row}}",
  },
})
