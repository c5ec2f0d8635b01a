import type { Area } from "../texts"

export const connections: Area<"connections"> = {
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
}
