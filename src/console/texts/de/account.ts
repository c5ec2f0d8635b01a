import type { Area } from "../texts"

export const account: Area<"account"> = {
  signIn: "Anmelden",
  signInTitle: "Anmelden · Kontor",
  noAccount: "Noch kein Konto? Ein Administrator kann eines anlegen.",
  setUp: "Kontor einrichten",
  setUpIntro:
    "Legen Sie den ersten Administrator an. Weitere Benutzer fügen Sie später unter Einstellungen, Benutzer hinzu.",
  noAdmin: "Kontor hat noch keinen Administrator",
  setUpLink:
    "Öffnen Sie den Einrichtungslink, um den ersten Administrator anzulegen. Der Befehl „kontor serve“ hat ihn beim Start ausgegeben: Sehen Sie in seinem Terminal oder seinem Protokoll nach.",
  newSetUpLink:
    "Um einen neuen Link auszugeben, führen Sie diesen Befehl auf dem Rechner des Servers aus, für dieselbe Datenbankdatei wie „kontor serve“:",
  isSetUp: "Schon eingerichtet?",
  yourName: "Ihr Name",
  passwordRule: "Mindestens 10 Zeichen",
  createAdmin: "Administrator anlegen",
  signInAgain: "Erneut anmelden",
  expired: "Ihre Sitzung ist abgelaufen. Ihre Änderungen auf dieser Seite sind noch da.",
  signOut: "Abmelden",
}
