/** The frame around the pages. */
export const shell = {
  silent: "Kontor is not responding.",
  skip: "Skip to content",
  menu: "Main menu",
  toggleMenu: "Toggle menu",
  signedInAs: "Signed in as {{name}}",
  myAccount: "My account",
  light: "Light",
  dark: "Dark",
  system: "System",
  searchEverything: "Search everything",
  searchHint: "Search by name, code, number, phone or email…",
  searching: "Searching…",
  noResults: "No results found",
  noAnswerYet: "Kontor is not responding. Try again in a moment.",
  goTo: "Go to",
} as const
