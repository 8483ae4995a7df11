import type { assistant as englishAssistant, toolbox as englishToolbox } from "./en.ts";

export const toolbox: Record<keyof typeof englishToolbox, string> = {
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
  "tool.at_once":
    "In einer Organisation laufen höchstens {limit} davon gleichzeitig. Warten Sie, bis einer fertig ist.",
  "tool.no_ping":
    "Auf diesem Server gibt es kein brauchbares Ping-Programm. Installieren Sie dort iputils-ping.",
  "tool.ping_forbidden": "Das System dieses Servers erlaubt ihm keine Pings.",
  "tool.ip": "Bitte eine IP-Adresse wie 203.0.113.7 eingeben.",
  "tool.ip_not_public":
    "{address} ist eine private oder reservierte Adresse: Sie gehört an keinen Ort und niemand Bestimmtem.",
  "tool.geo_unreadable":
    "Die Datenbank, die {variable} nennt, lässt sich nicht lesen. Fragen Sie, wer diese Installation betreibt.",
  "tool.geo_unknown": "Die Datenbank kennt diese Adresse nicht.",
  "tool.geo_country_only":
    "Die mitgelieferte Datenbank kennt nur Länder. Datenbanken für Städte und Anbieter lassen sich ergänzen.",
  "tool.geo_no_city": "Die Datenbank kennt zu dieser Adresse keine Stadt.",
  "tool.geo_no_holder": "Zu dieser Adresse ist kein Anbieter bekannt.",
  "tool.rdap_query":
    "Bitte eine Domain wie example.com, eine IP-Adresse oder eine AS-Nummer wie AS64496 eingeben.",
  "tool.rdap_none":
    "Die Registrierungsstelle von .{suffix} bietet kein RDAP an und lässt sich daher nicht fragen.",
  "tool.rdap_unassigned": "Für {query} ist keine Registrierungsstelle zuständig.",
  "tool.rdap_status": "Die Registrierungsstelle ({server}) hat mit Status {status} geantwortet.",
  "tool.rdap_busy":
    "Die Registrierungsstelle ({server}) wurde zu oft gefragt. Versuchen Sie es in {wait:duration} noch einmal.",
  "tool.rdap_garbage": "Die Antwort der Registrierungsstelle ({server}) ist kein RDAP.",
  "tool.rdap_large": "Die Registrierungsstelle ({server}) hat mehr als 1 MiB gesendet.",
  "tool.rdap_inside":
    "Die Registrierungsstelle ({server}) führte zu einer Adresse, die nicht angesprochen werden darf.",
  "tool.rdap_unreached": "Die Registrierungsstelle ({server}) war nicht zu erreichen.{ because}",
  "tool.tls_old":
    "Der Server nimmt noch {versions} an. Browser haben das aufgegeben, weil es sich brechen lässt.",
  "tool.tls_no_13": "Der Server spricht kein TLS 1.3, das schneller und sicherer ist.",
  "tool.tls_weak_key": "Der Schlüssel des Zertifikats von {subject} ist zu kurz ({key}).",
  "tool.tls_unused":
    "Der Server sendet außerdem {subject}; zur Prüfung seines Zertifikats wird es nicht gebraucht.",
  "tool.tls_unused_expired":
    "Der Server sendet außerdem {subject}, abgelaufen am {day:day}; zur Prüfung seines Zertifikats wird es nicht gebraucht.",
  "tool.http_status": "Der Server antwortet mit Status {status}.",
  "tool.http_plain": "Die Seite kommt unverschlüsselt.",
  "tool.http_downgrade": "Eine Weiterleitung führt von HTTPS zu unverschlüsseltem HTTP: {url}",
  "tool.http_cookie": "Dem Cookie {name} fehlt {flags}.",
  "tool.http_version_revealed": "Der Header {header} verrät, welche Software dort läuft: {value}",
  "tool.http_redirects": "Zur Seite führen {count} Weiterleitungen.",
  "tool.hsts_missing":
    "Strict-Transport-Security fehlt: Browser lassen sich zu unverschlüsseltem HTTP verleiten.",
  "tool.hsts_short": "Strict-Transport-Security gilt nur {days} Tage; erst ab einem halben Jahr zählt es.",
  "tool.csp_missing": "Content-Security-Policy fehlt: Ein eingeschleustes Skript darf auf der Seite alles.",
  "tool.nosniff_missing":
    "X-Content-Type-Options: nosniff fehlt: Browser halten womöglich eine Datei für ein Skript.",
  "tool.framing_missing":
    "Weder X-Frame-Options noch frame-ancestors ist gesetzt: Andere Websites können die Seite in einem Frame zeigen.",
  "tool.referrer_missing": "Referrer-Policy fehlt oder lässt andere Websites vollständige Adressen sehen.",
  "tool.permissions_missing":
    "Permissions-Policy fehlt: Eingebettete Inhalte können nach Kamera, Mikrofon oder Standort fragen.",
  "rcode.SERVFAIL": "Er fand keine Antwort (SERVFAIL)",
  "rcode.REFUSED": "Er lehnt die Frage ab (REFUSED)",
  "rcode.NOTIMP": "Er kennt diese Art von Anfrage nicht (NOTIMP)",
  "rcode.FORMERR": "Er hat die Anfrage nicht verstanden (FORMERR)",
  "rcode.other": "Er hat mit einem Fehler geantwortet",
};

export const assistant: Record<keyof typeof englishAssistant, string> = {
  "model.key":
    "Der Endpunkt des Assistenten hat den Schlüssel dieser Installation abgelehnt. Wer sie betreibt, muss VEDETTE_ASSISTANT_KEY prüfen.",
  "model.model":
    "Der Endpunkt des Assistenten kennt das Modell nicht, oder die Adresse ist falsch. Wer diese Installation betreibt, muss VEDETTE_ASSISTANT_MODEL und VEDETTE_ASSISTANT_URL prüfen.",
  "model.rejected":
    "Der Endpunkt des Assistenten hat die Frage nicht angenommen. Vielleicht ist die Unterhaltung zu lang für das Modell, oder das Modell kann keine Werkzeuge aufrufen.",
  "model.busy":
    "Der Endpunkt des Assistenten nimmt im Moment keine weiteren Anfragen an. Versuchen Sie es später noch einmal.",
  "model.failed":
    "Beim Endpunkt des Assistenten ist ein Fehler aufgetreten. Versuchen Sie es später noch einmal.",
  "model.unreached": "Der Endpunkt des Assistenten ist nicht erreichbar.",
  "model.cut": "Die Verbindung zum Endpunkt des Assistenten brach ab, bevor die Antwort vollständig war.",
  "model.garbled":
    "Die Antwort vom Endpunkt des Assistenten war nicht lesbar. Wer diese Installation betreibt, muss VEDETTE_ASSISTANT_URL prüfen.",
  "model.slow": "Der Endpunkt des Assistenten hat zu lange nicht geantwortet.",
  "model.long": "Die Antwort des Assistenten war zu lang.",
  "assistant.not_configured": "Auf dieser Installation ist kein Assistent eingerichtet.",
  "assistant.answering": "In dieser Unterhaltung wird gerade schon eine Antwort geschrieben.",
  "assistant.too_many_answers": "Für Sie können höchstens {limit} Antworten gleichzeitig geschrieben werden.",
  "assistant.nothing_to_say":
    "Es gibt nichts fortzusetzen: Stellen Sie eine Frage oder entscheiden Sie zuerst.",
  "assistant.decided": "Darüber wurde schon entschieden, oder die Frist ist abgelaufen.",
  "assistant.ended": "Ihr Zugang wurde inzwischen beendet.",
  "assistant.stopped": "Angehalten.",
  "assistant.at_limit": "Nach {limit} Schritten angehalten. Fragen Sie noch einmal, um fortzufahren.",
  "assistant.cut_short": "Hier wurde die Antwort abgeschnitten.",
  "assistant.refused": "Das Modell wollte darauf nicht antworten.",
  "assistant.nothing_said": "Das Modell hat nichts gesagt.",
  "assistant.would_do": "Das würde ich gern tun, wenn Sie zustimmen.",
  "assistant.agreed": "Zugestimmt: {what}",
  "assistant.not_agreed": "Abgelehnt: {what}",
};
