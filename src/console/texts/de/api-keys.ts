import type { Area } from "../texts"

export const apiKeys: Area<"apiKeys"> = {
  new: "Neuer API-Schlüssel",
  create: "API-Schlüssel anlegen",
  intro: "Mit einem API-Schlüssel verbinden Sie ein anderes Programm, zum Beispiel einen Webshop.",
  owner: "Besitzer",
  prefix: "Präfix",
  allowedIps: "Erlaubte IPs",
  anyIp: "Alle",
  lastUsedIp: "Zuletzt benutzt von",
  usedFrom: "{{time}} von {{ip}}",
  usedFromUnknown: "{{time}} von einer unbekannten IP-Adresse",
  sameAsOwner: "Wie beim Besitzer",
  sameAsMine: "Wie bei mir",
  notReceived: "{{name}} wurde angelegt, aber der Schlüssel kam nicht an",
  notReceivedText: "Öffnen und erneuern Sie ihn, um einen neuen Schlüssel zu erhalten.",
  nameHint: "Das Programm, das ihn benutzt, zum Beispiel „Webshop“",
  scopesHint: "Was der Schlüssel darf, im Rahmen Ihrer Rolle ({{role}})",
  inDays_one: "In {{count}} Tag",
  inDays_other: "In {{count}} Tagen",
  onDate: "An einem bestimmten Tag",
  lastDay: "Letzter Tag",
  neverWarning:
    "Ein Schlüssel ohne Ablaufdatum gilt, bis Sie ihn widerrufen. Beschränken Sie ihn möglichst auf bestimmte IP-Adressen.",
  expired: "Abgelaufen",
  expiresSoon: "Läuft bald ab",
  ips: "Erlaubte IP-Adressen",
  ipsHint:
    "Adressen oder Netze wie 203.0.113.0/24. Drücken Sie nach jeder Angabe die Eingabetaste. Leer lassen, um alle zu erlauben.",
  hasExpired:
    "Dieser Schlüssel ist abgelaufen und kann nicht mehr erneuert werden. Legen Sie einen neuen an.",
  planHint: "Nur Administratoren können einen größeren Tarif wählen.",
  confirmRotate: "{{name}} erneuern?",
  confirmRotateText:
    "Dadurch entsteht ein neuer Schlüssel. Der jetzige gilt sofort nicht mehr. Ersetzen Sie ihn überall, wo er benutzt wird.",
  revoke: "Widerrufen",
  confirmRevoke: "{{name}} widerrufen?",
  confirmRevokeText:
    "Anfragen mit diesem Schlüssel schlagen sofort fehl. Das kann nicht rückgängig gemacht werden.",
  revoked: "{{name}} wurde widerrufen.",
  keyFor: "API-Schlüssel für {{name}}",
  storeKey:
    "Kopieren Sie den Schlüssel jetzt und bewahren Sie ihn sicher auf. Er wird nicht noch einmal angezeigt.",
  keyStored: "Ich habe den Schlüssel gesichert",
  key: "API-Schlüssel",
  copyKey: "API-Schlüssel kopieren",
  tryIt: "Senden Sie ihn im Header X-API-Key. So probieren Sie ihn in einem Terminal aus:",
  example: "Beispiel",
  copyExample: "Beispiel kopieren",
  noExpiry: "Läuft nicht ab",
}
