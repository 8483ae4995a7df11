import type {
  devices as englishDevices,
  expectations as englishExpectations,
  heartbeats as englishHeartbeats,
  maintenance as englishMaintenance,
} from "./en.ts";

export const devices: Record<keyof typeof englishDevices, string> = {
  "health.cpu":
    "Der Prozessor ist seit fünf Minuten zu {percent} % ausgelastet; ab {limit} % ist das {level:word}.",
  "health.memory": "{percent} % des Arbeitsspeichers sind belegt; ab {limit} % ist das {level:word}.",
  "health.disk": "Die Platte {path} ist zu {percent} % voll; ab {limit} % ist das {level:word}.",
  "health.more": "{problems:count}",
  "problems.one": "Es gibt {problems} weiteres Problem.",
  "problems.other": "Es gibt {problems} weitere Probleme.",
  "level.warning": "eine Warnung",
  "level.critical": "kritisch",
  "timeout.agent": "Der Agent hat sich seit {silence:duration} nicht gemeldet.",
  "timeout.agent_silent": "Der Agent hat sich seit {last:time} nicht gemeldet.",
  "device.rival":
    "Ein anderer Agent meldet sich mit diesem Token, von einem anderen Rechner oder einer Kopie von diesem. Jedes Gerät braucht ein eigenes Token.",
  "device.thresholds": "Die kritische Schwelle darf nicht unter der Warnschwelle von {warning} % liegen.",
  "link.kind": "{name} ist ein Gerät; mit einem Gerät können nur Domains und Dienste verknüpft werden.",
};

export const heartbeats: Readonly<Record<keyof typeof englishHeartbeats, string>> = {
  "timeout.heartbeat":
    "Der Heartbeat blieb aus: Erwartet wird einer alle {interval:duration} (Karenzzeit: {grace:duration}).",
  "timeout.silent":
    "Kein Heartbeat seit {last:time}: Erwartet wird einer alle {interval:duration} (Karenzzeit: {grace:duration}).",
  "timeout.exit":
    "Der Job endete {last:time} mit dem Exit-Code {exit}; seitdem kein Heartbeat: Erwartet wird einer alle {interval:duration} (Karenzzeit: {grace:duration}).",
  "timeout.failed":
    "Der Job hat {last:time} gemeldet, dass er fehlgeschlagen ist; seitdem kein Heartbeat: Erwartet wird einer alle {interval:duration} (Karenzzeit: {grace:duration}).",
  "timeout.due":
    "Kein Heartbeat für den Lauf, der {due:time} fällig war, auch nicht in der Karenzzeit ({grace:duration}).",
  "timeout.overdue":
    "Kein Heartbeat für den Lauf, der {due:time} fällig war, auch nicht in der Karenzzeit ({grace:duration}). Der letzte kam {last:time}.",
  "timeout.exit_overdue":
    "Der Job endete {last:time} mit dem Exit-Code {exit}; seitdem kein Heartbeat: Ein Lauf war {due:time} fällig (Karenzzeit: {grace:duration}).",
  "timeout.failed_overdue":
    "Der Job hat {last:time} gemeldet, dass er fehlgeschlagen ist; seitdem kein Heartbeat: Ein Lauf war {due:time} fällig (Karenzzeit: {grace:duration}).",
  "timeout.run":
    "Der Lauf, der {start:time} begonnen hat, ist nicht zu Ende: Er darf {limit:duration} dauern.",
  "job.failed": "Der Job hat gemeldet, dass er fehlgeschlagen ist.",
  "job.exit": "Der Job endete mit dem Exit-Code {exit}.",
  "input.cron":
    "Der Zeitplan muss ein Cron-Ausdruck aus fünf Feldern sein (Minute, Stunde, Tag, Monat, Wochentag), etwa 0 3 * * *.",
  "input.cron_never": "Dieser Cron-Ausdruck trifft nie zu: Einen solchen Tag gibt es nicht.",
  "interval.cron":
    "Im Tarif {plan} höchstens ein Lauf alle {limit} Sekunden; dieser Cron-Ausdruck trifft alle {interval} Sekunden zu.",
};

export const maintenance: Record<keyof typeof englishMaintenance, string> = {
  "maintenance.rule":
    "Diese Wiederholungsregel kann nicht verwendet werden. Schreiben Sie zum Beispiel FREQ=WEEKLY;BYDAY=SU, höchstens täglich und ohne DTSTART.",
  "maintenance.rule_never": "Diese Regel trifft nie zu.",
  "maintenance.rule_ends": "Eine Wiederholungsregel hat COUNT oder UNTIL, nicht beides.",
  "maintenance.overlap":
    "Ein Fenster darf nicht länger dauern als die Zeit bis zum nächsten, und die beträgt hier {gap:duration}.",
  "maintenance.nothing": "Geben Sie an, wofür es gilt: für alles, für Tags oder für einzelne Monitore.",
  "maintenance.until": "Das Ende muss nach dem Beginn liegen.",
  "maintenance.span": "Höchstens {days} Tage auf einmal.",
  "maintenance.far": "Höchstens zehn Jahre von jetzt an.",
  "maintenance.past":
    "Diese Zeit ist schon vorbei. Ein Fenster gilt erst ab jetzt: Lassen Sie es später beginnen oder länger dauern.",
  "maintenance.never": "Mit diesen Einstellungen öffnet sich das Fenster nie.",
  "maintenance.not_open": "Es ist gerade nicht offen, also gibt es nichts zu beenden.",
  "maintenance.no_occurrence": "Zu dieser Zeit beginnt kein Termin, der ausfallen könnte.",
  "maintenance.many": "Eine Organisation kann {limit} offene oder bevorstehende Fenster haben.",
  "maintenance.monitor": "Es gibt keine Domain, keinen Dienst und kein Gerät mit der ID {id}.",
};

export const expectations: Readonly<Record<keyof typeof englishExpectations, string>> = {
  status: "Der Server hat mit {status} geantwortet; erwartet: {expected}.",
  "status.login": "{where} hat die Anmeldung abgelehnt: „{said}“.",
  "status.dns": "{where} antwortete für {name} mit {code}.",
  "status.upgrade": "{where} antwortete mit HTTP {status}, statt einen WebSocket zu öffnen.",
  "status.topic": "{where} lässt diesen Benutzer {topic} nicht abonnieren.",
  "status.method": "{where} verlangt eine Anmeldung mit {method}; das wird nicht unterstützt.",
  "status.grpc_http": "{where} antwortete mit HTTP {status}; das ist keine gRPC-Antwort.",
  "status.grpc_health": "{where} bietet den Health-Dienst (grpc.health.v1) nicht an.",
  "status.no_login": "{where} bietet keine Anmeldung mit Passwort an.",
  "status.no_password": "{where} verlangt ein Passwort, und es ist keines hinterlegt.",
  "status.iterations": "{where} verlangt bei der Anmeldung mehr als {count} SCRAM-Iterationen.",
  "status.error": "{where} hat mit einem Fehler geantwortet: „{said}“.",
  "assertion.forbidden": "Der Inhalt enthält „{text}“, was er nicht darf.",
  "assertion.missing": "Der Inhalt enthält „{text}“ nicht.",
  "assertion.missing_start": "Das erste Megabyte des Inhalts enthält „{text}“ nicht.",
  "assertion.json_size": "Der Inhalt ist größer als ein Megabyte, zu groß, um als JSON gelesen zu werden.",
  "assertion.not_json": "Der Inhalt ist kein gültiges JSON.",
  "assertion.no_value": "Im JSON-Inhalt steht nichts bei {path}.",
  "assertion.value": "{path} ist {actual}; erwartet: {operator:word}.",
  "assertion.length": "{path} hat die Länge {actual}; erwartet: {operator:word}.",
  "assertion.present": "An der Stelle {path} steht etwas; dort darf nichts sein.",
  "assertion.array": "{path} ist ein Array; erwartet: {operator:word}.",
  "assertion.object": "{path} ist ein Objekt; erwartet: {operator:word}.",
  "assertion.no_header": "Die Antwort hat keinen Header {name}.",
  "assertion.header": "Der Header {name} ist {actual}; erwartet: {operator:word}.",
  "assertion.expect_datagram": "{where} antwortete „{said}“, ohne das erwartete „{wanted}“.",
  "assertion.dns_missing": "{where} kennt den Namen {name} nicht.",
  "assertion.dns_empty": "{where} hat keinen {type}-Eintrag für {name}.",
  "assertion.dns_stray":
    "{where} hat {type}-Einträge von {found} gesendet, wohin kein Alias von {name} führt.",
  "assertion.dns": "{where} antwortete „{found}“ statt des erwarteten „{expected}“.",
  "assertion.dnssec": "{where} bürgt nicht durch DNSSEC für {name}.",
  "assertion.fingerprint": "{where} zeigte den Host-Schlüssel {found} statt des erwarteten {expected}.",
  "assertion.health": "{where} meldet {status} statt SERVING.",
  "assertion.loss": "{where} ließ {loss} % der Pings unbeantwortet, mehr als {most} %.",
  "assertion.role": "{where} ist laut eigener Angabe {found} in seinem Replica Set, nicht {expected}.",
  "assertion.key_missing": "{where} hat unter diesem Schlüssel nichts gespeichert.",
  "assertion.key":
    "{where} hat unter diesem Schlüssel „{found}“ gespeichert, nicht wie erwartet „{expected}“.",
  "assertion.query": "Die Abfrage auf {where} ergab „{found}“ statt des erwarteten „{expected}“.",
  "assertion.query_null": "Die Abfrage auf {where} ergab NULL statt des erwarteten „{expected}“.",
  "assertion.query_empty": "Die Abfrage auf {where} ergab keine Zeile statt des erwarteten „{expected}“.",
  "assertion.expect_within":
    "{where} hat „{said}“ gesendet, aber auch nach {size} KiB nicht das erwartete „{wanted}“.",
  "assertion.message_closed":
    "{where} hat die Verbindung ohne eine Nachricht geschlossen; erwartet war „{wanted}“.",
  "assertion.expect_closed":
    "{where} hat „{said}“ gesendet, aber nicht das erwartete „{wanted}“, und die Verbindung geschlossen.",
  "operator.eq": "genau {expected}",
  "operator.ne": "alles außer {expected}",
  "operator.gt": "mehr als {expected}",
  "operator.gte": "mindestens {expected}",
  "operator.lt": "weniger als {expected}",
  "operator.lte": "höchstens {expected}",
  "operator.contains": "etwas, das {expected} enthält",
  "operator.matches": "etwas nach dem Muster {expected}",
  "operator.not_matches": "nichts nach dem Muster {expected}",
  slow: "Die Antwort dauerte {took} ms, mehr als die Grenze von {limit} ms.",
};
