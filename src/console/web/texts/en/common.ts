/** Words of many pages. */
export const common = {
  cancel: "Cancel",
  close: "Close",
  clear: "Clear",
  email: "Email",
  loading: "Loading",
  name: "Name",
  password: "Password",
  save: "Save",
  search: "Search",
  tryAgain: "Try again",
} as const
