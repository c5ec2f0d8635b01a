import type { Language } from "../../../shared/languages"

/** The words of the public page. What is also on paper has the words of paper. */
const en = {
  heading: (company: string) => `Offer from ${company}`,
  pdf: "Open as PDF",
  fingerprint: "Fingerprint of the PDF (SHA-256)",
  accept: "Accept this offer",
  acceptText: "With your name you accept the offer as it stands here and in the PDF.",
  yourName: "Your name",
  nameMissing: "Enter your name.",
  acceptButton: "Accept",
  decline: "Decline",
  declineText: "You need not give a reason.",
  reason: "Reason",
  declineButton: "Decline the offer",
  questions: "Questions?",
  isAccepted: (name: string | null, date: string) =>
    name === null ? `This offer was accepted on ${date}.` : `${name} accepted this offer on ${date}.`,
  isDeclined: (date: string) => `This offer was declined on ${date}.`,
  isWithdrawn: (company: string) => `${company} has withdrawn this offer.`,
  isExpired: (date: string) => `This offer was valid until ${date}. It can no longer be accepted here.`,
  isChanged: "The offer was changed in the meantime. This is what it is now: please read it again.",
  tooLong: "The text is too long, or has signs that cannot be stored.",
  gone: "This link does not work any more",
  goneText: "Perhaps there is a newer one: look for a later message, or ask who sent it to you.",
  tooMany: "Too many requests",
  tooManyText: "Wait for a minute, and open the page again.",
  busy: "One moment, please",
  busyText: "The page cannot be shown now. Open it again in a few seconds.",
  foreign: "This form was not sent from its page",
  foreignText: "Open the link that you were given, and answer there.",
}

export type PageWords = typeof en

const de: PageWords = {
  heading: (company) => `Angebot von ${company}`,
  pdf: "Als PDF öffnen",
  fingerprint: "Prüfsumme des PDF (SHA-256)",
  accept: "Angebot annehmen",
  acceptText: "Mit Ihrem Namen nehmen Sie das Angebot so an, wie es hier und im PDF steht.",
  yourName: "Ihr Name",
  nameMissing: "Geben Sie Ihren Namen ein.",
  acceptButton: "Annehmen",
  decline: "Ablehnen",
  declineText: "Sie brauchen keinen Grund anzugeben.",
  reason: "Grund",
  declineButton: "Angebot ablehnen",
  questions: "Fragen?",
  isAccepted: (name, date) =>
    name === null
      ? `Dieses Angebot wurde am ${date} angenommen.`
      : `${name} hat dieses Angebot am ${date} angenommen.`,
  isDeclined: (date) => `Dieses Angebot wurde am ${date} abgelehnt.`,
  isWithdrawn: (company) => `${company} hat dieses Angebot zurückgezogen.`,
  isExpired: (date) => `Dieses Angebot war gültig bis ${date}. Es kann hier nicht mehr angenommen werden.`,
  isChanged: "Das Angebot wurde inzwischen geändert. So lautet es jetzt: Bitte lesen Sie es noch einmal.",
  tooLong: "Der Text ist zu lang oder enthält Zeichen, die nicht gespeichert werden können.",
  gone: "Dieser Link gilt nicht mehr",
  goneText:
    "Vielleicht gibt es einen neueren: Sehen Sie in späteren Nachrichten nach, oder fragen Sie den Absender.",
  tooMany: "Zu viele Anfragen",
  tooManyText: "Warten Sie eine Minute, und öffnen Sie die Seite dann noch einmal.",
  busy: "Einen Moment, bitte",
  busyText: "Die Seite kann gerade nicht gezeigt werden. Öffnen Sie sie in einigen Sekunden noch einmal.",
  foreign: "Dieses Formular kam nicht von seiner Seite",
  foreignText: "Öffnen Sie den Link, den Sie bekommen haben, und antworten Sie dort.",
}

const fr: PageWords = {
  heading: (company) => `Offre de ${company}`,
  pdf: "Ouvrir le PDF",
  fingerprint: "Empreinte du PDF (SHA-256)",
  accept: "Accepter cette offre",
  acceptText: "En indiquant votre nom, vous acceptez l’offre telle qu’elle figure ici et dans le PDF.",
  yourName: "Votre nom",
  nameMissing: "Indiquez votre nom.",
  acceptButton: "Accepter",
  decline: "Refuser",
  declineText: "Vous n’êtes pas tenu d’indiquer un motif.",
  reason: "Motif",
  declineButton: "Refuser l’offre",
  questions: "Des questions ?",
  isAccepted: (name, date) =>
    name === null ? `Cette offre a été acceptée le ${date}.` : `${name} a accepté cette offre le ${date}.`,
  isDeclined: (date) => `Cette offre a été refusée le ${date}.`,
  isWithdrawn: (company) => `${company} a retiré cette offre.`,
  isExpired: (date) => `Cette offre était valable jusqu’au ${date}. Elle ne peut plus être acceptée ici.`,
  isChanged: "L’offre a été modifiée entre-temps. La voici telle qu’elle est maintenant : relisez-la.",
  tooLong: "Le texte est trop long ou contient des caractères qui ne peuvent être enregistrés.",
  gone: "Ce lien n’est plus valable",
  goneText:
    "Il en existe peut-être un plus récent : consultez les messages suivants ou demandez à l’expéditeur.",
  tooMany: "Trop de demandes",
  tooManyText: "Attendez une minute, puis ouvrez de nouveau la page.",
  busy: "Un instant",
  busyText: "La page ne peut pas être affichée maintenant. Rouvrez-la dans quelques secondes.",
  foreign: "Ce formulaire ne vient pas de sa page",
  foreignText: "Ouvrez le lien que vous avez reçu et répondez-y.",
}

export const pageWords: Record<Language, PageWords> = { en, de, fr }
