import type { toolbox as english } from "./en.ts";

export const toolbox: Record<keyof typeof english, string> = {
  "tool.given_up":
    "Das Werkzeug wurde angehalten, weil es zu lange oder zu viel Speicher brauchte. Versuchen Sie es noch einmal.",
  "tool.name": "Bitte einen Domainnamen wie example.com oder eine IP-Adresse eingeben.",
  "tool.inside":
    "Die Nameserver dieser Installation werden nicht nach Namen gefragt, die nicht öffentlich sind. Geben Sie an, welcher Nameserver gefragt werden soll.",
  "tool.name_server":
    "Bitte die Adresse oder den Namen eines Nameservers eingeben, mit Port, wenn es nicht 53 ist.",
  "tool.dns_failed": "Der Nameserver {server} konnte zu {name} nichts sagen: {rcode:word}.",
  "rcode.SERVFAIL": "Er fand keine Antwort (SERVFAIL)",
  "rcode.REFUSED": "Er lehnt die Frage ab (REFUSED)",
  "rcode.NOTIMP": "Er kennt diese Art von Frage nicht (NOTIMP)",
  "rcode.FORMERR": "Er hat die Frage nicht verstanden (FORMERR)",
  "rcode.other": "Er hat mit einem Fehler geantwortet",
};
