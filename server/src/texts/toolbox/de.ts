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
  "tool.ports_missing": "Geben Sie für einen eigenen Scan Ports an, etwa 22,80,8000-8100.",
  "tool.ports_custom": "Ports lassen sich nur für einen eigenen Scan angeben.",
  "tool.ports_malformed":
    "Bitte Ports von 1 bis 65535 und Bereiche eingeben, etwa 22,80,8000-8100; „{part}“ ist keines von beiden.",
  "tool.ports_backwards": "Der Bereich {part} endet, bevor er beginnt.",
  "tool.scans":
    "Eine Organisation kann höchstens {limit} Portscans gleichzeitig laufen lassen. Warten Sie, bis einer fertig ist.",
  "rcode.SERVFAIL": "Er fand keine Antwort (SERVFAIL)",
  "rcode.REFUSED": "Er lehnt die Frage ab (REFUSED)",
  "rcode.NOTIMP": "Er kennt diese Art von Frage nicht (NOTIMP)",
  "rcode.FORMERR": "Er hat die Frage nicht verstanden (FORMERR)",
  "rcode.other": "Er hat mit einem Fehler geantwortet",
};
