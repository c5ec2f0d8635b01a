import { textsOf } from "../../../console/texts"

export const t = textsOf({
  en: {
    title: "Set up your shop",
    later: "Finish later",
    steps: "Steps of the set-up",
    stepOf: "Step {{step}} of {{steps}}",
    heading: {
      company: "Your company",
      taxes: "Taxes",
      numbers: "Numbers of your documents",
      documents: "What your documents say",
      logo: "Your logo",
    },
    saveAndGoOn: "Save and continue",
    skip: "Skip this step",
    finish: "Finish",
    finished: "Your shop is set up. Everything can be changed later under Settings.",
    laterHint: "Everything that you have entered here, and more, is under Settings → Company.",
    proposedPlace:
      "The currency and the time zone are those of your browser. Nothing is saved before you continue.",
    proposedCountry:
      "Country, currency and time zone are proposed from your browser: {{country}}. Nothing is saved before you continue.",
    proposedGerman:
      "These are proposals that are usual in your country. Change what does not fit. Nothing is saved before you continue.",
    proposedLanguage: "The language is that of your browser. Nothing is saved before you continue.",
    nameHint: "As your customers know you",
    vatIdHint: "If you have one. It is needed to sell to companies in other EU countries",
    taxNumberHint: "From your tax office",
    noCountry:
      "Without a country there are no proposals. Go back and choose one, or create the codes yourself:",
    noTaxes: "There are no proposals for {{country}}. Create the codes yourself:",
    taxesOf: "The taxes of {{country}}. Clear what you do not need; you can add codes at any time.",
    chargesTax: "Do you charge VAT?",
    chargesTaxYes: "Yes",
    chargesTaxNo: "No, I am a small business and exempt from VAT",
    usualHint: "For new items",
    pricesHint: "On if your price labels show prices with tax, as in most shops that sell to consumers",
    numbersHint: "The counter starts at 1, or with the number that follows your last one in another program.",
    parts: "Parts of a format",
    language: "Language of your documents",
    languageHint: "For customers without a language of their own",
    termsHint: "For customers without terms of their own. They set the due date",
    unitHint: "For new items, such as pcs",
  },
  de: {
    title: "Laden einrichten",
    later: "Später weitermachen",
    steps: "Schritte der Einrichtung",
    stepOf: "Schritt {{step}} von {{steps}}",
    heading: {
      company: "Ihre Firma",
      taxes: "Steuern",
      numbers: "Nummern Ihrer Belege",
      documents: "Was auf Ihren Belegen steht",
      logo: "Ihr Logo",
    },
    saveAndGoOn: "Speichern und weiter",
    skip: "Schritt überspringen",
    finish: "Fertig",
    finished: "Ihr Laden ist eingerichtet. Alles lässt sich später unter „Einstellungen“ ändern.",
    laterHint: "Alles, was Sie hier eingetragen haben, und mehr steht unter „Einstellungen“ → „Firma“.",
    proposedPlace:
      "Währung und Zeitzone stammen aus Ihrem Browser. Gespeichert wird erst, wenn Sie weitergehen.",
    proposedCountry:
      "Land, Währung und Zeitzone sind nach Ihrem Browser vorgeschlagen: {{country}}. Gespeichert wird erst, wenn Sie weitergehen.",
    proposedGerman:
      "Das sind Vorschläge, wie sie in Ihrem Land üblich sind. Ändern Sie, was nicht passt. Gespeichert wird erst, wenn Sie weitergehen.",
    proposedLanguage: "Die Sprache ist die Ihres Browsers. Gespeichert wird erst, wenn Sie weitergehen.",
    nameHint: "So, wie Ihre Kunden Sie kennen",
    vatIdHint: "Falls Sie eine haben. Für Verkäufe an Firmen in anderen EU-Ländern nötig",
    taxNumberHint: "Vom Finanzamt",
    noCountry:
      "Ohne Land gibt es keine Vorschläge. Gehen Sie zurück und wählen Sie eines, oder legen Sie die Schlüssel selbst an:",
    noTaxes: "Für {{country}} gibt es keine Vorschläge. Legen Sie die Schlüssel selbst an:",
    taxesOf:
      "Die Steuern in {{country}}. Entfernen Sie die Haken bei denen, die Sie nicht brauchen; hinzufügen können Sie jederzeit welche.",
    chargesTax: "Berechnen Sie Umsatzsteuer?",
    chargesTaxYes: "Ja",
    chargesTaxNo: "Nein, für mich gilt die Kleinunternehmerregelung",
    usualHint: "Für neue Artikel",
    pricesHint:
      "Einschalten, wenn auf Ihren Preisschildern Preise mit Steuer stehen, wie in den meisten Läden",
    numbersHint:
      "Gezählt wird ab 1, oder ab der Nummer, die auf Ihre letzte aus einem anderen Programm folgt.",
    parts: "Teile eines Formats",
    language: "Sprache Ihrer Belege",
    languageHint: "Für Kunden ohne eigene Sprache",
    termsHint: "Für Kunden ohne eigene Bedingungen. Daraus ergibt sich die Fälligkeit",
    unitHint: "Für neue Artikel, zum Beispiel Stk",
  },
})
