import { textsOf } from "../../../console/texts"

export const t = textsOf({
  en: {
    connections: {
      intro: "These apps can act for you, within the permissions you gave them.",
      none: "No connected apps yet",
      noneText:
        "An app, such as a web shop or accounting software, can ask for permission to act for you in Kontor. You sign in on a Kontor page, so the app never sees your password. Connected apps are listed here, and you can disconnect them at any time.",
      appCan: "This app can:",
      since: "Connected since",
      disconnect: "Disconnect",
      disconnectNamed: "Disconnect {{name}}",
      confirm: "Disconnect {{name}}?",
      confirmText: "The app loses access immediately. To use it again, you must connect it again.",
      disconnected: "{{name}} was disconnected.",
    },
    oauthClients: {
      new: "New OAuth client",
      create: "Create OAuth client",
      intro:
        "Register an app here so that users can connect it. Connected apps act for users without knowing their password.",
      clientId: "Client ID",
      clientSecret: "Client secret",
      copyClientId: "Copy client ID",
      copyClientIdOf: "Copy client ID of {{name}}",
      copyClientSecret: "Copy client secret",
      redirectUris: "Redirect URIs",
      redirectUrisHint:
        "Where users return after they sign in, for example https://shop.example/callback. Must match exactly what the client sends. Press Enter after each.",
      nameHint: "Shown to users when they connect it, for example Web shop",
      typeHint: "Cannot be changed later",
      scopesHint: "The permissions it can request. Users can grant only what their own role allows.",
      actsAs: "Acts by itself as",
      actsAsHint: "With the grant type client_credentials, without asking anybody",
      scopesWarning:
        "If you remove a scope, the client loses it immediately for every user who has connected it.",
      notReceived: "{{name}} was saved, but its secret was not received",
      notReceivedText: "Open it and rotate its secret.",
      activity: "Activity of this client",
      rotateSecret: "Rotate secret",
      confirmRotate: "Rotate the secret of {{name}}?",
      confirmRotateText:
        "This creates a new secret. The current secret stops working immediately. Connected users stay connected.",
      confirmDeleteText:
        "Its tokens stop working immediately for all connected users, and nobody can connect it again. This cannot be undone.",
      deleted: "{{name}} was deleted.",
      credentialsFor: "Credentials for {{name}}",
      storeSecret: "Copy the secret now and store it in a safe place. You cannot view it again.",
      secretStored: "I have stored the secret",
      noSecret: "A public client has no secret.",
      endpoints: "The client needs these endpoints. It uses the authorization code flow with PKCE (S256).",
      authorization: "Authorization",
      token: "Token",
      revocation: "Revocation",
      introspection: "Introspection",
      metadata: "Metadata",
      copyAuthorization: "Copy endpoint: authorization",
      copyToken: "Copy endpoint: token",
      copyRevocation: "Copy endpoint: revocation",
      copyIntrospection: "Copy endpoint: introspection",
      copyMetadata: "Copy endpoint: metadata",
    },
  },
  de: {
    connections: {
      intro: "Diese Apps können für Sie handeln, im Rahmen der Berechtigungen, die Sie ihnen gegeben haben.",
      none: "Noch keine verbundenen Apps",
      noneText:
        "Eine App, zum Beispiel ein Webshop oder eine Buchhaltungssoftware, kann Sie um die Erlaubnis bitten, in Kontor für Sie zu handeln. Sie melden sich dabei auf einer Seite von Kontor an, sodass die App Ihr Passwort nie sieht. Verbundene Apps stehen hier, und Sie können sie jederzeit trennen.",
      appCan: "Diese App kann:",
      since: "Verbunden seit",
      disconnect: "Trennen",
      disconnectNamed: "{{name}} trennen",
      confirm: "{{name}} trennen?",
      confirmText:
        "Die App verliert sofort den Zugriff. Um sie wieder zu benutzen, müssen Sie sie erneut verbinden.",
      disconnected: "{{name}} wurde getrennt.",
    },
    oauthClients: {
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
      actsAs: "Handelt selbst als",
      actsAsHint: "Mit dem Grant-Typ client_credentials, ohne jemanden zu fragen",
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
      endpoints:
        "Der Client braucht diese Endpunkte. Er benutzt den Authorization Code Flow mit PKCE (S256).",
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
    },
  },
})
