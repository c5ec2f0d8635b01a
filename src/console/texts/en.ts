import { values } from "./en/values"
import type { OwnField } from "../../kinds"
import { en } from "../../shared/field-names/en"
import type { CreditNoteLine, Customer, InvoiceLine, Kind, Kinds, OrderLine } from "../api/types"

/** The fields of all kinds of records and of their parts, and the other fields in the changes of the audit log. */
type Field =
  | { [K in Kind]: keyof Kinds[K] }[Kind]
  | keyof OrderLine
  | keyof InvoiceLine
  | keyof CreditNoteLine
  | keyof NonNullable<Customer["address"]>
  | "allocation"
  | "application"
  | "attempts"
  | "code"
  | "creditNote"
  | "delivery"
  | "grant"
  | "password"
  | "payment"
  | "refund"
  | "request"

/**
 * The names of fields, as exported tables have them too. A kind names the other ones. A new field without a name does not
 * compile.
 */
const fields = en satisfies Record<Exclude<Field, OwnField>, string>

/** The frame around the pages. */
const shell = {
  silent: "Kontor is not responding.",
  silentSince: "Kontor is not responding. You see data from {{time}}.",
  cannotSave: "Changes cannot be saved until it responds again.",
  skip: "Skip to content",
  menu: "Main menu",
  toggleMenu: "Toggle menu",
  signedInAs: "Signed in as {{name}}",
  light: "Light",
  dark: "Dark",
  system: "System",
  searchEverything: "Search everything",
  searchHint: "Search by name, code, number, amount, phone or email…",
  searchKeys: "Ctrl K",
  searching: "Searching…",
  saveKeys: "Ctrl S",
  shortcuts: "Keyboard shortcuts",
  shortcut: {
    search: "Search everything",
    save: "Save the form",
    nextLine: "Lines of a document: to the next line",
    choose: "Choose in lists and menus",
    nextField: "To the next field, with Shift to the one before",
    close: "Close a dialog or a list",
    list: "Show this list",
  },
  noResults: "No results found",
  noAnswerYet: "Kontor is not responding. Try again in a moment.",
  goTo: "Go to",
  create: "Create",
  hideNotice: "Hide this notice",
} as const

/** Errors that the console finds itself. */
const problems = {
  notAQuantity: "This is a code, not a quantity",
  noAnswer: "Kontor is not responding. Check that it is running and try again.",
  maybeSaved:
    "Kontor did not respond to this request, so it is not known whether it was saved. Try again: nothing is saved twice.",
  notSaved:
    "Kontor is not responding, so your change is probably not saved. Check that it is running and try again: nothing is saved twice.",
  cutOff: "The download was interrupted. Try again.",
  unknown: "The server returned an error (status {{status}}).",
  signedOut: "You are signed out.",
  required: "This field is required",
  number: "Enter a number, for example {{example}}.",
} as const

/** The building blocks of many pages. */
const parts = {
  /** Whose a field is. */
  ofCompany: "{{name}} (company)",
  ofCustomer: "{{name}} (customer)",
  adminOnly: "Only admins can view this page.",
  confirmDelete: "Delete {{name}}?",
  deleted: "{{name}} was deleted.",
  notDeleted: "{{name}} was not deleted. {{reason}}",
  shownOnce: "Shown only once",
  copied: "Copied.",
  copyByHand: "Press Ctrl+C (Mac: Cmd+C) to copy.",
  notFound: "Page not found",
  notFoundText: "This page does not exist, or the record was deleted.",
  goToDashboard: "Go to dashboard",
  pageFailed: "Could not load this page",
  pageFailedText: "Kontor is not responding, or it was updated since you opened the console.",
  reload: "Reload the console",
  loadFailed: "Could not load the data",
  moreActions: "More actions",
  duplicate: "Duplicate",
  importLink: "Import",
  importFile: "Import a file",
} as const

/** The menu: its groups, and the pages that show no kind of record. */
const menu = {
  groups: {
    sell: "Sell",
    stock: "Stock",
    reports: "Reports",
    developers: "Developers",
    settings: "Settings",
  },
  dashboard: "Dashboard",
  limits: "Limits in use",
  mail: "Mail",
  backups: "Backups",
  account: "My account",
  connections: "Connected apps",
  apiDocs: "API docs",
  help: "Help",
} as const

/** The lists of records, with their filters, views, exports and bulk actions. */
const lists = {
  loadFailed: "Could not load this list",
  tryOther: "Try a different search or other filters.",
  showAll: "Show all",
  shownOf: "{{shown}} of {{total}}",
  selectOne: "Select {{name}}",
  selectAll: "Select all",
  all: "All",
  search: "Search…",
  filters: "Filters",
  filtersSet: "Filters ({{shown}})",
  moreFilters: "More filters",
  noValues: "No values",
  clearFilters: "Clear filters",
  showResults: "Show results",
  columns: "Columns",
  chooseColumns: "Choose columns",
  sortBy: "Sort by",
  sortByHint: "Sort by…",
  ascending: "{{title}}, ascending",
  descending: "{{title}}, descending",
  sum: "Sum: {{title}}",
  sumOf: "Sum of {{shown}}",
  sumWithout_one: "Sum of {{shown}}, without {{left}} draft or cancelled one",
  sumWithout_other: "Sum of {{shown}}, without {{left}} drafts or cancelled ones",
  /** Behind a sum of documents. */
  withTax: "incl. tax",
  /** The filters in the URL. */
  filter: {
    remove: "(remove filter)",
    customer: "Customer: {{name}}",
    empty: "{{field}}: empty",
    notEmpty: "{{field}}: not empty",
    like: "{{field}} like {{value}}",
    in: "{{field}} is {{value}}",
    true: "true",
    false: "false",
  },
  period: {
    today: "Today",
    thisWeek: "This week",
    thisMonth: "This month",
    lastMonth: "Last month",
    thisQuarter: "This quarter",
    thisYear: "This year",
    lastYear: "Last year",
  },
  views: "Views",
  saveThisView: "Save this view…",
  saveView: "Save view",
  renameView: "Rename view",
  renameNamed: "Rename {{name}}…",
  deleteNamed: "Delete {{name}}…",
  confirmDeleteView: "Delete the view {{name}}?",
  deleteView: "Delete view",
  shareNamed: "Show {{name}} to everybody",
  unshareNamed: "Show {{name}} only to its owner",
  forEverybody: "for everybody",
  viewHint: "The view keeps the filters, the sort order and the columns.",
  export: "Export",
  exportAll: "Export this list",
  exporting: "Exporting…",
  /** The formats of an export. */
  format: {
    csv: "CSV",
    csvLines: "CSV, one row per line",
    xlsx: "Excel (XLSX)",
    xlsxLines: "Excel (XLSX), one row per line",
    ndjson: "NDJSON, with all details",
  },
  mostPicked: "Select at most {{shown}} rows to export them, or all that match.",
  progress: "{{label}}: {{finished}} of {{total}}",
  reading: "Reading",
  stop: "Stop",
  /** The question before a list is left while a bulk action runs. */
  notFinished: "The change is not finished",
  leaveText: "If you leave this page now, the others stay as they were.",
  leave: "Leave and stop the change",
  stay: "Stay on this page",
  othersStay: "The others stay as they were.",
  selectedRecords: "Selected records",
  selected: "{{shown}} selected",
  allSelected: "All {{shown}} selected",
  selectMatching: "Select all {{shown}} that match",
  clearSelection: "Clear selection",
  activate: "Activate",
  deactivate: "Deactivate",
  undo: "Undo",
  undone: "Undone for {{shown}}.",
  /** What a bulk action has done. */
  done: {
    activated: "{{shown}} activated.",
    deactivated: "{{shown}} deactivated.",
    changed: "{{shown}} changed.",
    deleted: "{{shown}} deleted.",
    downloaded: "{{shown}} downloaded.",
    issued: "{{shown}} issued.",
    sent: "{{shown}} will be sent.",
    submitted: "{{shown}} submitted.",
  },
  /** What a bulk action could not do. */
  failed: {
    activated_one: "{{shown}} could not be activated",
    activated_other: "{{shown}} could not be activated",
    deactivated_one: "{{shown}} could not be deactivated",
    deactivated_other: "{{shown}} could not be deactivated",
    changed_one: "{{shown}} could not be changed",
    changed_other: "{{shown}} could not be changed",
    deleted_one: "{{shown}} could not be deleted",
    deleted_other: "{{shown}} could not be deleted",
    downloaded_one: "{{shown}} could not be downloaded",
    downloaded_other: "{{shown}} could not be downloaded",
    issued_one: "{{shown}} could not be issued",
    issued_other: "{{shown}} could not be issued",
    sent_one: "{{shown}} could not be sent",
    sent_other: "{{shown}} could not be sent",
    submitted_one: "{{shown}} could not be submitted",
    submitted_other: "{{shown}} could not be submitted",
    undone_one: "{{shown}} could not be taken back",
    undone_other: "{{shown}} could not be taken back",
  },
  moreFailed: "And {{shown}} more. They are still selected.",
  tooManyFiles: "Select at most {{shown}} documents for one download.",
  glyphsMissingIn:
    "The font of PDFs lacks some letters of these documents; they are replaced by a sign: {{names}}",
} as const

/** The inputs and dialogs of all forms. */
const forms = {
  saveAndAdd: "Save and add another",
  date: "Enter a valid date, for example {{example}} or 2026-11-15.",
  clearDate: "Clear date",
  /** What is wrong with one text of a list. */
  tagError: "{{text}} {{message}}",
  unsaved: "Unsaved changes",
  unsavedText: "Your changes on this page are not saved yet.",
  discard: "Discard changes",
  keepEditing: "Keep editing",
  changedMeanwhile: "This record was changed meanwhile. Your changes are not saved yet.",
  loadAgain: "Load again",
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
  postalCode: "Postal code",
  state: "State or region",
  noCountry: "No country found",
} as const

/** Words of many pages. */
const common = {
  cancel: "Cancel",
  clear: "Clear",
  close: "Close",
  created: "Created",
  delete: "Delete",
  done: "Done",
  email: "Email",
  expires: "Expires",
  lastUsed: "Last used",
  loading: "Loading",
  name: "Name",
  never: "Never",
  newPassword: "New password",
  nextMonth: "Next month",
  number: "Number",
  password: "Password",
  period: "Period",
  plan: "Plan",
  planHint: "Request limits per minute and per day",
  previousMonth: "Previous month",
  rotate: "Rotate",
  save: "Save",
  saved: "{{name}} was saved.",
  scopes: "Scopes",
  search: "Search",
  showMore: "Show more",
  status: "Status",
  taxId: "Tax ID",
  togglePassword: "Toggle password visibility",
  tryAgain: "Try again",
  type: "Type",
  updated: "Updated",
  you: "{{name}} (you)",
  viewAll: "View all",
} as const

/** The pages before the user has signed in. */
const account = {
  signIn: "Sign in",
  signInTitle: "Sign in · Kontor",
  forgotten: "Forgotten password?",
  code: "Code of the second factor",
  codeHint: "Six digits of your authenticator app, or a recovery code",
  byPasskey: "Use a passkey",
  signInWith: "Sign in with {{name}}",
  noAccount: "No account yet? Ask an admin to create one.",
  noAdmin: "Kontor has no admin yet",
  setUpLink:
    'Open the setup link to create the first admin. The command "kontor serve" printed it when the server started: look in its terminal or in its log.',
  newSetUpLink:
    'To print a new setup link, run this command on the machine of the server, for the same database file as "kontor serve":',
  yourName: "Your name",
  passwordRule: "At least 10 characters",
  signInAgain: "Sign in again",
  expired: "Your session has expired. Your changes on this page are still here.",
  signOut: "Sign out",
} as const

/** The server responds in English. */
export const errors = null

export default {
  account,
  common,
  fields,
  forms,
  lists,
  menu,
  parts,
  problems,
  shell,
  values,
} as const
