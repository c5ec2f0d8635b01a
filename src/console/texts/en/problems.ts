/** Errors that the console finds itself. */
export const problems = {
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
