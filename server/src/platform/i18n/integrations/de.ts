import type { imports as englishImports, integrations as englishIntegrations } from "./en.ts";

export const integrations: Record<keyof typeof englishIntegrations, string> = {
  "integration.unreached": "{where} ist nicht erreichbar.{ because}",
  "integration.refused": "{where} hat die Zugangsdaten abgelehnt ({status}).",
  "integration.credentials":
    "{where} hat die Zugangsdaten abgelehnt. Prüfen Sie jede Angabe und ob eine davon abgelaufen ist.",
  "integration.forbidden": "{where} hat die Zugangsdaten angenommen, aber sie erlauben das nicht ({status}).",
  "integration.no_subscription":
    "{where} zeigt dieser Anwendung kein solches Abonnement. Prüfen Sie die ID und ob die Anwendung dort die Rolle Leser hat.",
  "integration.not_coolify": "{where} antwortet nicht wie eine Coolify-Instanz.",
  "integration.missing": "{where} kennt diese Ressource nicht.",
  "integration.rejected": "{where} hat die Anfrage zurückgewiesen ({status}).",
  "integration.busy": "{where} nimmt im Moment keine weiteren Anfragen an.",
  "integration.failed": "{where} hat selbst ein Problem ({status}).",
  "integration.redirect":
    "{where} hat mit einer Weiterleitung geantwortet ({status}); ihr wird nicht gefolgt.",
  "integration.malformed": "{where} hat eine unlesbare Antwort geschickt.",
  "integration.revoked": "{where} erkennt diese Verknüpfung nicht mehr an. Verknüpfen Sie das Konto erneut.",
  "integration.client":
    "{where} hat die Zugangsdaten dieser Installation abgelehnt. Wer sie betreibt, muss VEDETTE_VERCEL_CLIENT_ID und VEDETTE_VERCEL_CLIENT_SECRET prüfen.",
  "integration.no_refresh":
    "{where} hat kein Refresh-Token ausgestellt. Die dort registrierte Anwendung muss offline_access anfordern.",
  "integration.not_configured": "Setzen Sie zuerst {variable} und starten Sie Vedette neu.",
  "integration.state":
    "Diese Verknüpfung hat jemand anderes begonnen, sie liegt mehr als 15 Minuten zurück, oder sie wurde schon verwendet. Beginnen Sie von vorn.",
  "integration.unknown": "Diese Version von Vedette kennt keine Integration mit {provider}.",
  "integration.gone": "Die Verknüpfung mit dem Konto wurde aufgehoben.",
  "integration.changed": "Das Konto wurde inzwischen geändert. Versuchen Sie es noch einmal.",
  "integration.renewing": "Die Zugangsdaten werden gerade erneuert.",
  "integration.many": "Eine Organisation kann {limit} Konten verknüpfen.",
  "integration.removed": "{name} gibt es nicht mehr.",
  "integration.no_address": "{name} hat keine Adresse, die geprüft werden könnte.",
  "integration.monitored": "{name} wird schon überwacht.",
  "deployment.before": "Begann {after:duration} nach dem Deployment{ version} von {name}{by:word}.",
  "deployment.during": "Begann während des Deployments{ version} von {name}{by:word}.",
  "by.author": " durch {author}",
  "by.unknown": "",
  "deployment.ahead": "{field} darf nicht in der Zukunft liegen.",
  "deployment.length": "{field} muss nach {other} liegen, höchstens einen Tag.",
  "deployment.signature": "Die Signatur stimmt nicht. Prüfen Sie, ob beide Seiten dasselbe Geheimnis haben.",
  "deployment.no_key":
    "Ein Geheimnis, das mit whsec_ beginnt, ist der Schlüssel einer Signatur: Danach müssen mindestens 8 Bytes in Base64 stehen.",
  "deployment.many_webhooks": "Eine Organisation kann {limit} Deployment-Webhooks haben.",
};

export const imports: Readonly<Record<keyof typeof englishImports, string>> = {
  "import.format":
    "Das Format dieser Datei ist nicht zu erkennen. Geben Sie es im Feld {field} an: {formats}.",
  "import.syntax": "Das ist kein gültiges {format}: Zeile {line} lässt sich nicht lesen.",
  "import.columns": "Die erste Zeile muss die Spalten nennen, darunter url.",
  "import.version":
    "Diese Datei stammt von einer anderen Version von Vedette. Diese hier liest Dateien, die mit vedette: {version} beginnen.",
  "import.empty": "In dieser Datei steht nichts, was überwacht werden soll.",
  "import.encoding":
    "Zeile {line} enthält ein Zeichen, das nicht zu lesen ist. Speichern Sie die Datei als UTF-8.",
  "import.many":
    "Die Datei enthält {count} Monitore; höchstens {limit} lassen sich auf einmal importieren. Teilen Sie sie auf.",
  "import.unreadable":
    "Diese Datei lässt sich nicht lesen: Sie ist zu tief verschachtelt oder soll den Speicher füllen.",
  "import.large": "Die Datei ist zu groß: höchstens {limit} MiB.",
  "import.database": "Das ist keine Datenbank von Uptime Kuma: Sie enthält keine Monitore.",
  "import.database_damaged":
    "Diese Datenbank lässt sich nicht lesen. Beenden Sie Uptime Kuma, bevor Sie kuma.db kopieren, damit die Kopie vollständig ist.",
  "import.database_large": "Diese Datenbank enthält mehr, als sich auf einmal importieren lässt.",
  "import.nothing": "Das ist kein Monitor.",
  "import.kind": "Vedette kennt keine Prüfung der Art {type}.",
  "import.address": "Die Adresse ({scheme}) ist nicht zu verstehen.",
  "import.variables": "Es fehlt ein Wert für {names}.",
  "import.setting": "{setting} wird nicht übernommen.",
  "import.notifications":
    "Benachrichtigungen werden nicht übernommen: Richten Sie dafür unter Einstellungen → Kanäle Kanäle ein.",
  "import.proxies": "Proxys werden nicht übernommen: Geprüft wird ohne.",
  "import.changed": "{setting} wird {to} statt {from}.",
  "import.condition": "Diese Bedingung wird nicht übernommen: {condition}",
  "import.cut": "{setting} wird auf {limit} Zeichen gekürzt.",
  "import.opposite":
    "Er gilt als erreichbar, wenn die Prüfung fehlschlägt ({condition}). So etwas gibt es in Vedette nicht.",
  "import.part": "In Vedette darf der Text an beliebiger Stelle der Antwort stehen: {condition}",
  "import.record":
    "In Vedette gilt er auch als ausgefallen, wenn der Name keinen Eintrag dieses Typs hat: {condition}",
  "import.keyword_json":
    "Uptime Kuma entfernt aus JSON vor der Suche die Leerzeichen, Vedette durchsucht den Inhalt so, wie er gesendet wird: {keyword}",
  "import.retries":
    "Uptime Kuma meldet den Ausfall {delay} s nach dem ersten Fehlschlag (retryInterval). Damit das hier genauso ist, gelten {count} Fehlschläge im Abstand von {interval} s als Ausfall.",
  "import.any_status":
    "Weil eine Bedingung nicht übernommen wird und keine den Status betrifft, wird ein Status von {codes} erwartet.",
  "import.external":
    "Er wird von außen gemeldet und nennt kein Heartbeat-Intervall; Vedette wüsste nicht, wann eine Meldung überfällig ist.",
  "import.suite": "Eine Suite aufeinanderfolgender Anfragen lässt sich nicht importieren.",
  "import.placeholder": "{placeholder} im Body wird unverändert gesendet: Vedette setzt nichts dafür ein.",
  "import.certificate_warning":
    "Vedette überwacht jedes Zertifikat und benachrichtigt Sie, bevor es abläuft. Für einzelne Monitore lässt sich das nicht abschalten.",
  "import.certificate_days":
    "Sie werden {days} d vor Ablauf des Zertifikats benachrichtigt; es gilt nicht als Ausfall: {condition}",
  "import.cells":
    "Diese Zeile hat {count} Zellen, mehr als die {columns} Spalten, die die erste Zeile nennt.",
  "import.row": "Diese Zeile lässt sich nicht lesen: Ihre Anführungszeichen passen nicht zusammen.",
  "import.row_long": "Diese Zeile ist zu lang.",
  "import.upside_down":
    "Er gilt als erreichbar, wenn die Prüfung fehlschlägt (upside down). So etwas gibt es in Vedette nicht.",
  "import.auth": "Er meldet sich per {method} an, was Vedette nicht kann.",
  "import.json_path": "Die JSON-Abfrage {path} ist mehr als ein Pfad wie $.status.",
  "import.grpc":
    "Er ruft {method} auf. Vedette fragt einen gRPC-Server nur mit dem Standardprotokoll nach seinem Zustand.",
  "import.browser": "Die Seite wird abgerufen, aber nicht in einem Browser geöffnet.",
  "import.heartbeat": "Er bekommt eine neue Adresse, die der Job statt der alten aufrufen muss.",
  "import.member": "{name} wird kein Mitglied, da sich dieser Monitor nicht importieren lässt.",
  "import.reference_unknown":
    "Es gibt keinen Monitor mit dem Namen „{name}“, weder hier noch in dieser Datei.",
  "import.reference_ambiguous":
    "Mehrere Monitore heißen „{name}“. Geben Sie mit kind und target an, welcher gemeint ist, so wie ein Export es tut.",
  "import.exists": "Wird bereits überwacht.",
  "import.twice": "Dasselbe steht in Zeile {line} dieser Datei.",
  "import.repeated": "Dasselbe kommt in dieser Datei schon vorher vor.",
};
