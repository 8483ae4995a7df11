import { channels, explanations } from "./channels/de.ts";
import { imports, integrations } from "./integrations/de.ts";
import type { Texts } from "./message.ts";
import { devices, expectations, heartbeats, maintenance } from "./monitors/de.ts";
import { notifications } from "./notifications/de.ts";
import { pages } from "./pages/de.ts";
import type { parents as english } from "./parents/en.ts";
import { refusals } from "./refusals/de.ts";
import { assistant, toolbox } from "./toolbox/de.ts";

const parents: Record<keyof typeof english, string> = {
  "parent.unknown": "Es gibt keine Domain, keinen Dienst und kein Gerät {uuid}.",
  "parent.itself": "Ein Monitor kann nicht von sich selbst abhängen.",
  "parent.cycle": "„{name}“ hängt selbst von diesem Monitor ab, direkt oder über andere.",
  "parent.member":
    "„{name}“ hängt von dieser Gruppe ab, direkt oder über andere, und kann deshalb kein Mitglied sein.",
  "watch.behind":
    "{name}, wovon es abhängt, ist ebenfalls ausgefallen: Niemand wird benachrichtigt.{ because}",
  "watch.released": "Wovon es abhängt, ist nicht mehr ausgefallen: Es braucht eine neue Bestätigung.",
  "watch.notified": "Nichts, wovon es abhängt, ist ausgefallen: Es wird benachrichtigt.{ because}",
  "explain.held_back": "Zurückgehalten seit {at:time}: {name}, wovon es abhängt, war ausgefallen.{ because}",
  "explain.released":
    "Freigegeben {at:time}: Nichts, wovon es abhängt, war noch ausgefallen. Von da an brauchte es eine neue Bestätigung.",
  "explain.notified": "Neu bestätigt {at:time}: Es wurde benachrichtigt.{ because}",
};

export const de: Texts = {
  ...assistant,
  ...expectations,
  ...refusals,
  ...imports,
  ...integrations,
  ...channels,
  ...maintenance,
  ...parents,
  ...pages,
  ...notifications,
  ...devices,
  ...toolbox,
  ...heartbeats,
  ...explanations,

  "dns.missing": "Der Name {host} steht nicht im DNS oder hat keine Adresse.",
  "dns.not_public": "Der Name {host} steht nicht im DNS oder hat keine öffentliche Adresse.",
  "dns.silent": "Kein Nameserver hat auf die Frage nach {host} geantwortet.",
  "dns.servfail": "Die Nameserver konnten nichts über {host} herausfinden (SERVFAIL).",
  "dns.refused": "Die Nameserver verweigern die Auskunft über {host}.",
  "dns.unresolved": "Der Name {host} konnte nicht aufgelöst werden.",
  "dns.empty": "Der Name {host} hat keine Adresse.",

  refused: "{where} hat die Verbindung abgelehnt.",
  "unreachable.host": "Es gibt keine Route zu {where}.",
  "unreachable.network": "Es gibt keine Route zum Netz von {where}.",
  "unreachable.address": "{where} ist von hier aus nicht erreichbar.",
  "unreachable.forbidden": "Das System verbietet Verbindungen zu {where}.",
  "unreachable.ping": "An {where} konnte kein Ping gesendet werden: keine Route dorthin.",
  "unreachable.other": "Die Verbindung zu {where} ist fehlgeschlagen ({error}).",

  "timeout.dns":
    "Zeitüberschreitung nach {seconds} s: Das DNS hat nicht auf die Frage nach {where} geantwortet.",
  "timeout.connect": "Zeitüberschreitung nach {seconds} s: Die TCP-Verbindung zu {where} kam nicht zustande.",
  "timeout.tls":
    "Zeitüberschreitung nach {seconds} s: Der TLS-Handshake mit {where} wurde nicht abgeschlossen.",
  "timeout.answer":
    "Zeitüberschreitung nach {seconds} s: {where} hat die Verbindung angenommen, aber keine vollständige Antwort gesendet.",
  "timeout.body": "Zeitüberschreitung nach {seconds} s: {where} hat den Inhalt nicht zu Ende gesendet.",
  "timeout.line":
    "Zeitüberschreitung nach {seconds} s: {where} hat „{said}“ gesendet, aber keine vollständige Zeile.",
  "timeout.expect":
    "Zeitüberschreitung nach {seconds} s: {where} hat „{said}“ gesendet, aber nicht das erwartete „{wanted}“.",
  "timeout.no_message":
    "Zeitüberschreitung nach {seconds} s: {where} hat keine Nachricht gesendet; erwartet war „{wanted}“.",
  "timeout.datagram":
    "Zeitüberschreitung nach {seconds} s: {where} hat nicht geantwortet. Über UDP lässt sich ein ausgefallener Server nicht von einem verlorenen Paket unterscheiden.",
  "timeout.ping":
    "Keine Antwort von {where} innerhalb von {seconds} s. Ein ausgefallener Host lässt sich nicht von einem unterscheiden, der Pings verwirft.",
  "timeout.unanswered": "{where} hat auf die TCP-Verbindung nicht geantwortet.",
  "timeout.stalled": "{where} antwortet nicht mehr.",

  "tls.closed": "{where} hat die Verbindung während des TLS-Handshakes geschlossen.",
  "tls.reset": "{where} hat die Verbindung während des TLS-Handshakes zurückgesetzt.",
  "tls.not_tls": "{where} spricht auf diesem Port kein TLS.",
  "tls.old_version": "{where} spricht nur veraltete TLS-Versionen (vor 1.2).",
  "tls.version_refused": "{where} hat jede angebotene TLS-Version abgelehnt (1.2 und 1.3).",
  "tls.no_cipher": "{where} hat kein gemeinsames Verschlüsselungsverfahren gefunden.",
  "tls.unknown_name": "{where} hat kein Zertifikat für diesen Hostnamen.",
  "tls.no_protocol": "{where} spricht weder HTTP/1.1 noch HTTP/2.",
  "tls.client_certificate": "{where} verlangt ein Client-Zertifikat.",
  "tls.legacy_renegotiation":
    "Vedette hat die Verbindung zu {where} abgebrochen: Der Server beherrscht keine sichere TLS-Neuaushandlung (RFC 5746). Die Einstellung „Unsichere TLS-Neuaushandlung zulassen“ (legacyRenegotiation) lässt das zu.",
  "tls.weak_dh":
    "Vedette hat die Verbindung zu {where} abgebrochen: Der Diffie-Hellman-Schlüssel des Servers ist zu kurz.",
  "tls.rejected": "Vedette hat den TLS-Handshake mit {where} abgebrochen ({error}).",
  "tls.other": "{where} hat TLS abgebrochen ({error}).",

  "certificate.none": "Der Server hat kein Zertifikat vorgelegt.",
  "certificate.expired": "Das Zertifikat ist am {day:day} abgelaufen.",
  "certificate.expires": "Es läuft am {day:day} ab und ist noch {left:duration} gültig.",
  "certificate.ends_soon": "Das Zertifikat läuft am {day:day} ab, in {days} Tagen: weniger als {least}.",
  "certificate.intermediate_expired": "Das Zwischenzertifikat „{name}“ ist am {day:day} abgelaufen.",
  "certificate.root_expired": "Das Stammzertifikat „{name}“ ist am {day:day} abgelaufen.",
  "certificate.path_expires":
    "{which:word}{ whose:word} läuft am {day:day} ab und ist noch {left:duration} gültig.",
  "certificate.path_ends_soon": "{which:word} läuft am {day:day} ab, in {days} Tagen: weniger als {least}.",
  "certificate.path_not_yet_valid": "{which:word} gilt erst ab dem {day:day}.",
  "certificate.weak_key": "{which:word} hat einen zu schwachen Schlüssel: {what}.",
  "certificate.weak_signature": "{which:word} hat eine zu schwache Signatur: {what}.",
  "certificate.rejected":
    "Das Zertifikat wurde abgelehnt; welche Regel es verletzt, teilt OpenSSL nicht mit.",
  "certificate.at_host": "{host}: {because}",
  "which.leaf": "Das Zertifikat",
  "which.intermediate": "Das Zwischenzertifikat „{name}“",
  "which.root": "Das Stammzertifikat „{name}“",
  "whose.own": "",
  "whose.host": "von {host}",
  "certificate.not_yet_valid": "Das Zertifikat gilt erst ab dem {day:day}.",
  "certificate.nameless": "Das Zertifikat gilt für gar keinen Namen, auch nicht für {host}.",
  "certificate.host_mismatch": "Das Zertifikat gilt für {names}, nicht für {host}.",
  "certificate.host_mismatch_many": "Das Zertifikat gilt für {names} und {more} weitere, nicht für {host}.",
  "certificate.self_signed": "Das Zertifikat ist selbstsigniert: Nur der Server selbst bürgt dafür.",
  "certificate.revoked": "Das Zertifikat wurde von seinem Aussteller widerrufen.",
  "certificate.incomplete_chain":
    "Der Server sendet das Zwischenzertifikat von „{issuer}“ nicht, oder diesem Aussteller wird nicht vertraut.",
  "certificate.untrusted": "Dem Aussteller „{issuer}“ des Zertifikats wird nicht vertraut.",
  "certificate.unverified": "Das Zertifikat kann nicht geprüft werden ({error}).",

  "protocol.unused": "{where} hat die Verbindung geschlossen, bevor sie benutzt wurde.",
  "protocol.incomplete": "{where} hat die Verbindung ohne vollständige Antwort geschlossen.",
  "protocol.in_body": "{where} hat die Verbindung mitten im Inhalt geschlossen.",
  "protocol.reset": "{where} hat die Verbindung zurückgesetzt, bevor die Antwort vollständig war.",
  "protocol.without_answer": "{where} hat, ohne zu antworten, {ended:word}.",
  "protocol.in_header": "{where} hat mitten im Header {ended:word}.",
  "protocol.not_http": "{where} spricht kein HTTP, die Antwort beginnt mit „{start}“.",
  "protocol.is_tls": "{where} spricht auf diesem Port TLS: Verwenden Sie https.",
  "protocol.status_line": "{where} hat eine fehlerhafte Statuszeile gesendet: „{line}“.",
  "protocol.header": "{where} hat einen fehlerhaften Header gesendet: „{line}“.",
  "protocol.header_size": "{where} hat mehr als {size} KB Header gesendet.",
  "protocol.interim": "{where} hat endlos Zwischenantworten (1xx) gesendet.",
  "protocol.content_length": "{where} hat eine unmögliche Content-Length gesendet: „{value}“.",
  "protocol.h2_reset": "{where} hat die HTTP/2-Verbindung zurückgesetzt, bevor die Antwort vollständig war.",
  "protocol.h2_error": "{where} hat den HTTP/2-Austausch mit {error} beendet.",
  "protocol.h2_invalid": "{where} hat etwas gesendet, das kein gültiges HTTP/2 ist.",
  "protocol.h2_closed": "{where} hat die HTTP/2-Verbindung ohne vollständige Antwort geschlossen.",
  "protocol.line_within": "{where} hat „{said}“ gesendet, auch nach {size} KiB keine vollständige Zeile.",
  "protocol.line_closed":
    "{where} hat „{said}“ gesendet, was keine vollständige Zeile ist, und die Verbindung geschlossen.",
  "protocol.endless": "{where} kam in {lines} Zeilen zu keinem Ende.",
  "protocol.size": "{where} hat mehr als {size} KiB gesendet.",
  "protocol.broken": "{where} hält sich nicht an das Protokoll.",
  "protocol.dns_message": "{where} hat eine Antwort gesendet, die sich nicht als DNS-Nachricht lesen lässt.",
  "protocol.dns_question":
    "{where} hat für {name} ohne den Frageabschnitt geantwortet, den jede Antwort wiederholt.",
  "protocol.dns_record": "{where} hat für {name} einen unlesbaren Eintrag gesendet.",
  "protocol.dns_other": "{where} hat eine andere Frage beantwortet als die nach {name}.",
  "protocol.subprotocol": "{where} hat keines der angeforderten Subprotokolle gewählt: {requested}.",
  "protocol.subprotocol_other": "{where} hat das Subprotokoll „{found}“ gewählt, das nicht angefordert war.",
  "protocol.no_tls": "{where} bietet kein TLS an.",
  "protocol.other": "{where} spricht kein {protocol}, die Antwort beginnt mit „{start}“.",

  "body.some": "Nur {arrived} von {announced} Bytes des Inhalts empfangen: {where} hat {ended:word}.",
  "body.after": "Der Inhalt bricht nach Byte {arrived} ab: {where} hat {ended:word}.",
  "body.none": "Vom Inhalt ist nichts angekommen: {where} hat {ended:word}.",
  "body.chunk_invalid": "{where} hat einen Chunk ohne gültige Größe gesendet.",
  "body.chunk_sizeless": "{where} hat einen Chunk ohne Größe gesendet.",
  "body.chunk_long": "{where} hat einen Chunk gesendet, der länger ist als angegeben.",
  "body.trailers": "{where} hat zu lange Trailer gesendet.",
  "body.layers": "Der Server hat den Inhalt zu oft komprimiert.",
  "body.not_offered": "Der Server hat den Inhalt auf eine Weise komprimiert, die nicht angeboten war.",
  "body.truncated": "Der Server hat einen komprimierten Inhalt gesendet, der zu früh endet.",
  "body.corrupt": "Der Server hat einen Inhalt gesendet, der sich nicht entpacken lässt.",
  "ended.closed": "die Verbindung geschlossen",
  "ended.cut": "die Verbindung mitten in einem TLS-Record geschlossen",
  "ended.reset": "die Verbindung zurückgesetzt",
  "ended.h2_stream": "den HTTP/2-Stream beendet",
  "ended.h2_reset": "die HTTP/2-Verbindung zurückgesetzt",
  "ended.h2_error": "den HTTP/2-Austausch mit {error} beendet",
  "ended.h2_invalid": "etwas gesendet, das kein gültiges HTTP/2 ist",

  "redirect.too_many": "Mehr als {count} Weiterleitungen; die letzte führt zu „{url}“.",
  "redirect.unfit": "Einer Weiterleitung ({status}) zu „{url}“ kann nicht gefolgt werden: {unfit:word}.",
  "redirect.downgrade":
    "Eine Weiterleitung ({status}) führt von https zu „{url}“, also ohne Verschlüsselung.",
  "redirect.no_tls": "Die Antwort kam von „{url}“, also ohne Verschlüsselung.",
  "redirect.ends_in_clear": "Die Weiterleitungen enden bei „{url}“, also ohne Verschlüsselung.",
  "redirect.loop": "Weiterleitungsschleife: „{url}“ wurde bereits abgefragt.",
  "unfit.url": "Sie ist keine gültige URL",
  "unfit.scheme": "Die URL ist weder http noch https",
  "unfit.method": "Die Methode ist ungültig",
  "unfit.header": "Der Header {name} ist ungültig",
  "unfit.long": "Die URL ist zu lang",
  "unfit.unencrypted": "Der Inhalt würde unverschlüsselt gesendet",
  "unfit.other": "Sie ließ sich nicht zusammensetzen",

  "members.down": "{count} von {total} ausgefallen: {names}.",
  "members.down_many": "{count} von {total} ausgefallen: {names} und {more} weitere.",
  "members.degraded": "{count} von {total} beeinträchtigt: {names}.",
  "members.degraded_many": "{count} von {total} beeinträchtigt: {names} und {more} weitere.",
  "members.unknown": "{count} von {total} ohne bekannten Status: {names}.",
  "members.unknown_many": "{count} von {total} ohne bekannten Status: {names} und {more} weitere.",
  "members.none": "Die Gruppe hat keine Mitglieder mehr.",
  "members.left_out": "Alle Mitglieder ({total}) sind pausiert oder in Wartung.",
  "members.up": "{up} von {total} erreichbar.",

  guard: "{address} darf nicht geprüft werden: {why:word}.",
  "guard.embedded": "{address} darf nicht geprüft werden, denn sie steht für {inner}: {why:word}.",
  "guard.name_server":
    "Den Nameserver angeben, der gefragt werden soll: Der dieses Rechners steht für Prüfungen nicht offen, denn er kennt womöglich mehr als die Öffentlichkeit.",
  "why.metadata": "Metadaten-Adressen von Clouds werden immer abgelehnt",
  "why.link_local": "Link-Local-Adressen werden immer abgelehnt",
  "why.unspecified": "Die unbestimmte Adresse wird immer abgelehnt",
  "why.multicast": "Multicast-Adressen werden immer abgelehnt",
  "why.broadcast": "Die Broadcast-Adresse wird immer abgelehnt",
  "why.no_address": "Das ist keine IP-Adresse",
  "why.not_public":
    "Diese Installation prüft nur öffentliche Adressen (VEDETTE_TARGETS=public), diese ist {range:word}",
  "range.loopback": "eine Loopback-Adresse",
  "range.private": "privat",
  "range.unique_local": "eine lokale Adresse (unique local)",
  "range.carrier_grade_nat": "für Carrier-Grade-NAT bestimmt",
  "range.reserved": "reserviert",

  "internal.stopped": "Die Prüfung wurde abgebrochen, bevor sie fertig war.",
  "internal.error": "Die Prüfung ist mit einem eigenen Fehler abgebrochen.",
  "internal.given_up": "Die Prüfung wurde nicht rechtzeitig fertig und aufgegeben.",
  "internal.no_name_server": "Diese Maschine kennt keinen Nameserver.",
  "internal.no_ping": "Der Standort hat kein ping-Programm: dort iputils-ping installieren.",
  "internal.ping_forbidden":
    "Der Standort darf keine Pings senden: dort CAP_NET_RAW oder net.ipv4.ping_group_range erlauben.",
  "internal.connections": "Der Standort hat zu viele Verbindungen offen.",
  "internal.unknown_kind":
    "Dieser Standort kennt diese Art von Prüfung nicht; vielleicht ist er älter als der Server.",
  "internal.page":
    "Der Server hat das Lesen abgebrochen, weil es zu lange dauerte oder zu viel Speicher brauchte.",
  "internal.cancelled": "Die Anfrage wurde abgebrochen.",
  "internal.request": "Die Anfrage ist nicht möglich: {unfit:word}.",

  "check.passed": "Die Prüfung war erfolgreich.",

  "route.missing":
    "Der Standort kann keine Routen verfolgen: Er hat kein ping, das die Router unterwegs nennt (iputils-ping).",
  "route.forbidden":
    "Dieser Standort darf keine Routen verfolgen: ping ist nicht erlaubt (CAP_NET_RAW oder net.ipv4.ping_group_range).",
  "route.unsent": "Die Route wurde nicht verfolgt: Der Rechner des Standorts kennt keinen Weg dorthin.",
  "route.busy": "Die Route wurde nicht verfolgt: Zu dieser Zeit wurden zu viele andere verfolgt.",
  "route.silent": "Die Route ist unbekannt: Unterwegs hat niemand geantwortet.",

  "watch.silent": "Zwei Intervalle lang kam kein Ergebnis an.",
  "watch.flapping": "Innerhalb von {checks} Prüfungen gab es {count} Ausfälle oder Erholungen.",
  "watch.maintenance_began": "Die Wartung hat begonnen.",
  "watch.maintenance_ended": "Die Wartung ist beendet.",
  "watch.paused": "pausiert",
  "watch.deleted": "gelöscht",
  "watch.changed": "wird ab jetzt anders geprüft",
  "watch.failing": "Die Prüfung schlägt fehl.",
  "watch.location": "{location:place}: {because}",
};
