import type { Area } from "../texts"

export const oauthClients: Area<"oauthClients"> = {
  new: "Neuer OAuth-Client",
  create: "OAuth-Client anlegen",
  intro:
    "Registrieren Sie hier eine App, damit Benutzer sie verbinden können. Verbundene Apps handeln für Benutzer, ohne deren Passwort zu kennen.",
  clientId: "Client-ID",
  clientSecret: "Client-Geheimnis",
  copyClientId: "Client-ID kopieren",
  copyClientIdOf: "Client-ID von {{name}} kopieren",
  copyClientSecret: "Client-Geheimnis kopieren",
  redirectUris: "Weiterleitungsadressen",
  redirectUrisHint:
    "Wohin Benutzer nach der Anmeldung zurückkehren, zum Beispiel https://shop.example/callback. Muss genau mit der Adresse übereinstimmen, die der Client sendet. Drücken Sie nach jeder Adresse die Eingabetaste.",
  nameHint: "Wird Benutzern beim Verbinden angezeigt, zum Beispiel „Webshop“",
  typeHint: "Kann später nicht geändert werden",
  scopesHint:
    "Die Berechtigungen, die der Client anfordern kann. Benutzer können nur gewähren, was ihre eigene Rolle erlaubt.",
  scopesWarning:
    "Wenn Sie eine Berechtigung entfernen, verliert der Client sie sofort bei allen Benutzern, die ihn verbunden haben.",
  notReceived: "{{name}} wurde gespeichert, aber das Geheimnis kam nicht an",
  notReceivedText: "Öffnen Sie den Client und erneuern Sie sein Geheimnis.",
  activity: "Aktivitäten dieses Clients",
  rotateSecret: "Geheimnis erneuern",
  confirmRotate: "Das Geheimnis von {{name}} erneuern?",
  confirmRotateText:
    "Dadurch entsteht ein neues Geheimnis. Das jetzige gilt sofort nicht mehr. Verbundene Benutzer bleiben verbunden.",
  confirmDeleteText:
    "Die Tokens des Clients gelten sofort für keinen Benutzer mehr, und niemand kann ihn wieder verbinden. Das kann nicht rückgängig gemacht werden.",
  deleted: "{{name}} wurde gelöscht.",
  credentialsFor: "Zugangsdaten für {{name}}",
  storeSecret:
    "Kopieren Sie das Geheimnis jetzt und bewahren Sie es sicher auf. Es wird nicht noch einmal angezeigt.",
  secretStored: "Ich habe das Geheimnis gesichert",
  noSecret: "Ein öffentlicher Client hat kein Geheimnis.",
  endpoints: "Der Client braucht diese Endpunkte. Er benutzt den Authorization Code Flow mit PKCE (S256).",
  authorization: "Autorisierung",
  token: "Token",
  revocation: "Widerruf",
  introspection: "Prüfung von Tokens",
  metadata: "Metadaten",
  copyAuthorization: "Endpunkt kopieren: Autorisierung",
  copyToken: "Endpunkt kopieren: Token",
  copyRevocation: "Endpunkt kopieren: Widerruf",
  copyIntrospection: "Endpunkt kopieren: Prüfung von Tokens",
  copyMetadata: "Endpunkt kopieren: Metadaten",
}
