/** The building blocks of many pages. */
export const parts = {
  adminOnly: "Only admins can view this page.",
  confirmDelete: "Delete {{name}}?",
  deleted: "{{name}} was deleted.",
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
} as const
