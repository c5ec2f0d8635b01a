import { textsOf } from "../../../../console/texts"

export const t = textsOf({
  en: {
    undone: "Undone",
    undoneBy: "{{time}}, by {{name}}",
    action: "Undo the import",
    rest: "Undo the rest",
    confirm: "Undo this import?",
    text: "Records that it created are deleted, and those that it updated get their old values again. What was changed or used since stays.",
    running: "The import is being undone",
    done: "The import was undone",
    failed: "Undoing the import has stopped",
    row: "Row {{row}}",
    changed: "It was changed after the import.",
    kept: "These rows stay, because their records were changed or used after the import",
    count: {
      deleted: "Deleted",
      restored: "Restored",
      unchanged: "Deleted before",
      failed: "Not undone",
    },
  },
  de: {
    undone: "Rückgängig gemacht",
    undoneBy: "{{time}} von {{name}}",
    action: "Import rückgängig machen",
    rest: "Den Rest rückgängig machen",
    confirm: "Diesen Import rückgängig machen?",
    text: "Angelegte Einträge werden gelöscht, geänderte erhalten ihre alten Werte. Was seither geändert oder verwendet wurde, bleibt.",
    running: "Der Import wird rückgängig gemacht",
    done: "Der Import wurde rückgängig gemacht",
    failed: "Das Rückgängigmachen wurde abgebrochen",
    row: "Zeile {{row}}",
    changed: "Wurde nach dem Import geändert.",
    kept: "Diese Zeilen bleiben, weil ihre Einträge nach dem Import geändert oder verwendet wurden",
    count: {
      deleted: "Gelöscht",
      restored: "Wiederhergestellt",
      unchanged: "Schon vorher gelöscht",
      failed: "Nicht rückgängig gemacht",
    },
  },
})
