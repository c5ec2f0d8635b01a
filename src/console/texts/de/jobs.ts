import type { Area } from "../texts"

export const jobs: Area<"jobs"> = {
  ended: {
    USER_INACTIVE: "Abgebrochen, weil der Benutzer, der es gestartet hat, nicht mehr aktiv ist.",
    SESSIONS_ENDED:
      "Abgebrochen, weil der Benutzer, der es gestartet hat, ein neues Passwort bekommen oder sich auf allen Geräten abgemeldet hat.",
    KEY_REVOKED:
      "Abgebrochen, weil der API-Schlüssel, mit dem es gestartet wurde, widerrufen oder erneuert wurde oder sein Benutzer nicht mehr aktiv ist.",
    KEY_EXPIRED: "Abgebrochen, weil der API-Schlüssel, mit dem es gestartet wurde, abgelaufen ist.",
    APP_DISCONNECTED:
      "Abgebrochen, weil die App, die es gestartet hat, nicht mehr verbunden ist oder ihr Benutzer nicht mehr aktiv ist.",
  },
}
