/** Words of many pages. */
export const common = {
  cancel: "Cancel",
  close: "Close",
  clear: "Clear",
  delete: "Delete",
  email: "Email",
  loading: "Loading",
  name: "Name",
  password: "Password",
  save: "Save",
  search: "Search",
  tryAgain: "Try again",
} as const
