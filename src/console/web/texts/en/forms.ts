/** The inputs and dialogs of all forms. */
export const forms = {
  saveAndAdd: "Save and add another",
  date: "Enter a valid date, for example {{example}} or 2026-11-15.",
  clearDate: "Clear date",
  /** What is wrong with one text of a list. */
  tagError: "{{text}} {{message}}",
  unsaved: "Unsaved changes",
  unsavedText: "Your changes on this page are not saved yet.",
  discard: "Discard changes",
  keepEditing: "Keep editing",
  conflict: "This record was updated by someone else",
  conflictText: "Your changes are not saved yet. Compare the two versions and choose one.",
  discardMine: "Discard my changes",
  saveMine: "Save my changes",
  bothVersions: "Both versions",
  field: "Field",
  yourVersion: "Your version",
  savedVersion: "Saved version",
  notChanged: "Not changed",
  asEntered: "As you entered it",
  yes: "Yes",
  no: "No",
} as const
