import type { channels as englishChannels, explanations as englishExplanations } from "./en.ts";

export const channels: Readonly<Record<keyof typeof englishChannels, string>> = {
  "delivery.accepted": "{where} hat sie angenommen ({status}).",
  "delivery.refused": "{where} hat sie abgelehnt ({status}): {said}",
  "delivery.ended": "{where} nimmt von hier keine Nachrichten mehr an ({status}): {said}",
  "delivery.failed": "{where} konnte sie nicht annehmen ({status}): {said}",
  "delivery.busy": "{where} nimmt im Moment keine weiteren Nachrichten an ({status}).",
  "delivery.redirect": "{where} hat mit einer Weiterleitung geantwortet ({status}), der nicht gefolgt wird.",
  "delivery.unreached": "Sie konnte nicht zugestellt werden.{ because}",
  "delivery.channel_off": "Der Kanal ist abgeschaltet.",
  "delivery.channel_gone": "Den Kanal gibt es nicht mehr.",
  "delivery.unknown_type": "Diese Version von Vedette kennt keinen Kanal vom Typ {type}.",
  "delivery.waits": "Sie wartet bereits darauf, gesendet zu werden.",
  "delivery.followed":
    "Diese Nachricht ist überholt: Danach wurde eine neuere zum selben Thema gesendet oder versucht. Es wurde nichts gesendet. Wenn Sie eine erneut brauchen, nehmen Sie die neueste.",
  "delivery.recovered":
    "Diese Nachricht ist überholt: {name} läuft inzwischen wieder. Es wurde nichts gesendet. Der Vorfall zeigt, wer davon benachrichtigt wurde.",
  "delivery.down_again":
    "Diese Nachricht ist überholt: Mit {name} gibt es wieder ein Problem. Es wurde nichts gesendet. Der Vorfall zeigt, wer davon benachrichtigt wurde.",
  "delivery.regrouped":
    "Diese Nachricht ist überholt: Ihr Vorfall wurde inzwischen zusammengeführt, aufgeteilt oder gelöscht. Es wurde nichts gesendet. Nehmen Sie eine neuere Nachricht, oder sehen Sie beim Vorfall nach.",
  "delivery.changed":
    "Diese Nachricht ist überholt: Was sie sagt, trifft nicht mehr zu. Es wurde nichts gesendet. Was dem Kanal noch fehlt, sendet Vedette von selbst.",
  "channel.taken": "Es gibt schon einen Kanal namens {name}. Geben Sie diesem einen anderen Namen.",
  "channel.many": "Eine Organisation kann {limit} Kanäle haben.",
  "channel.template_name": "Die Vorlage nennt {name}; das hat keine Nachricht.",
  "channel.template_block":
    "Die Vorlage enthält {block}. Sie setzt nur Felder wie {field} ein; Schleifen und Bedingungen kennt sie nicht.",
  "channel.template_json": "Die Vorlage beginnt wie JSON, ist ausgefüllt aber keines.",
  "channel.key_or_urls":
    "Geben Sie entweder den Schlüssel einer gespeicherten Konfiguration oder die URLs an.",
  "channel.hours": "Die Zeiten müssen zwei verschiedene Uhrzeiten sein, zum Beispiel 08:00 und 18:00.",
  "delivery.merged": "Sie ging in einer anderen Nachricht auf.",
  "delivery.over": "Es war vorbei, bevor es zugestellt werden konnte.",
  "settings.unconfirmed":
    "Noch hat niemand bestätigt, dass diese Adresse Ihnen gehört. Bis Sie dem Link in der E-Mail folgen, die danach fragt, gehen keine Nachrichten dorthin.",
  "settings.confirmed": "Es gibt nichts anzufragen: An Ihre Adresse gehen Nachrichten.",
  "settings.nowhere":
    "Es gibt keine Adresse, an die ein Test gehen könnte. Tragen Sie erst eine ein und speichern Sie.",
  "notification.digest": "{count} Monitore haben ihren Zustand geändert.",
  "push.gone": "Dieser Browser ist nicht mehr angemeldet.",
  "push.https": "Die Adresse eines Push-Dienstes beginnt mit https://.",
  "push.keys": "Das sind nicht die Schlüssel eines Browser-Abonnements.",
  "notification.reminder_device":
    "{name} hat seit {lasted:duration} Probleme, und niemand hat sie quittiert.",
  "notification.reminder":
    "{name} ist inzwischen {lasted:duration} lang ausgefallen, und niemand hat den Ausfall quittiert.",
  "notification.certificate_expiring": "{because}{ issued:word}",
  "notification.certificate_invalid": "{because} Die Prüfung akzeptiert es.{ issued:word}",
  "notification.certificate_renewed": "Es gilt bis zum {day:day}.{ issued:word}",
  "notification.certificate_unwatched": "Das Zertifikat von {name} wird nicht mehr überwacht ({because}).",
  "notification.objective_burning":
    "{share:percent} des Fehlerbudgets wurden in {span:duration} verbraucht.{ because}",
  "notification.objective_steady": "Es wird nicht mehr zu schnell verbraucht.{ because}",
  "notification.objective_unwatched": "Das Fehlerbudget wird nicht mehr überwacht ({because}).",
  "notification.no_objective": "es gibt kein Ziel mehr",
  "notification.budget_left":
    "Übrig: {left:duration} von {allowed:duration}. Das Ziel: {percent:percent} in {days} Tagen.",
  "notification.budget_spent":
    "Das Budget ist aufgebraucht: {allowed:duration}, und {over:duration} darüber hinaus. Das Ziel: {percent:percent} in {days} Tagen.",
  "issued.by": "Aussteller: {issuer}.",
  "issued.unknown": "",
  "notification.incident_said": "{said}",
  "notification.incident_log": "{because}",
  "notification.test": "Das ist ein Test. Hier kommen künftig Nachrichten über Ihre Monitore an.",
  "delivery.unconfirmed": "Die Adresse wurde noch nicht bestätigt. Bis dahin geht nur die Anfrage dorthin.",
  "delivery.needless":
    "Die Anfrage ist nicht mehr nötig: Sie wurde beantwortet, oder der Kanal hat eine andere Adresse.",
  "delivery.is_confirmation":
    "Das ist die Anfrage, ob an die Adresse geschrieben werden darf. Senden Sie sie auf der Seite des Kanals oder mit POST …/confirmation erneut.",
  "channel.confirmed": "Der Kanal ist bestätigt: Es gibt nichts anzufragen.",
  "channel.address_limit":
    "An diese Adresse wurden innerhalb eines Tages mehrere Bestätigungsanfragen gesendet. Versuchen Sie es morgen wieder, und sehen Sie inzwischen im Spam-Ordner nach.",
  "channel.confirmation_limit":
    "Die Organisation hat innerhalb eines Tages zu viele Bestätigungsanfragen gesendet. Versuchen Sie es morgen wieder.",
  "notification.confirmation":
    "{organization} möchte, dass Vedette an {address} schreibt, wenn etwas ausfällt, das dort überwacht wird, und wenn es wieder funktioniert. Wenn Sie das wollen, bestätigen Sie es innerhalb von sieben Tagen. Wenn nicht, brauchen Sie nichts zu tun: Dann wird Ihnen nichts gesendet.",
  "notification.confirmation_own":
    "Jemand hat mit der Adresse {address} ein Konto auf {where} angelegt; dort überwacht Vedette Websites und Dienste. Wenn es Ihres ist, bestätigen Sie es innerhalb von sieben Tagen: Dann erfahren Sie per E-Mail, wenn etwas ausfällt und wenn es wieder funktioniert. Wenn nicht, brauchen Sie nichts zu tun: Dann erhalten Sie keine solchen E-Mails.",
  "notification.channel_off":
    "Der Kanal {name} wurde deaktiviert: Die Gegenseite lehnt Nachrichten ab.{ because}",
};

export const explanations: Readonly<Record<keyof typeof englishExplanations, string>> = {
  "explain.down":
    "Ausgefallen: {failing} von {fresh} Standorten melden Fehler, {needed} sind nötig. Erster Fehler {first:time} (Standort: {location:place}).{ because}",
  "explain.down_alone":
    "Ausgefallen: {failures} Fehler in Folge am Standort {location:place}, {needed} sind nötig. Erster Fehler {first:time}.{ because}",
  "explain.down_once":
    "Ausgefallen: Ein Fehler am Standort {location:place} genügt. Er trat {first:time} auf.{ because}",
  "explain.up":
    "Wieder erreichbar: {up} von {fresh} Standorten erhalten Antwort, {needed} sind nötig. Erster Erfolg {first:time} (Standort: {location:place}).",
  "explain.up_alone":
    "Wieder erreichbar: {successes} Erfolge in Folge am Standort {location:place}, {needed} sind nötig. Erster Erfolg {first:time}.",
  "explain.up_once":
    "Wieder erreichbar: Ein Erfolg am Standort {location:place} genügt. Er war {first:time}.",
  "explain.first": "Erreichbar: {first:time} funktionierte es vom Standort {location:place} aus.",
  "explain.degraded":
    "Beeinträchtigt: Es funktioniert, aber langsam oder nicht von überall. {failing} von {fresh} Standorten melden Fehler, {needed} sind für einen Ausfall nötig.{ because}",
  "explain.recorded": "{state:word} seit {at:time}.{ because}",
  "place.local": "Vedette-Server",
  "state.up": "Erreichbar",
  "state.degraded": "Beeinträchtigt",
  "state.down": "Ausgefallen",
  "state.unknown": "Unbekannt",
  "explain.vote_failing": "{location:place}: fehlerhaft, {count} in Folge seit {since:time}.{ because}",
  "explain.vote_suspect":
    "{location:place}: {count} in Folge fehlgeschlagen seit {since:time}, {needed} nötig, um zu zählen.{ because}",
  "explain.vote_recovering":
    "{location:place}: {count} in Folge erfolgreich seit {since:time}, {needed} nötig, um als erreichbar zu zählen.",
  "explain.vote_ok": "{location:place}: erreichbar, {count} in Folge seit {since:time}.",
  "explain.vote_stale": "{location:place}: ohne Ergebnis seit {since:time}, zählt daher nicht.",
  "explain.no_results":
    "Die zugrunde liegenden Prüfergebnisse werden nicht mehr aufbewahrt; es lässt sich nur sagen, was damals festgehalten wurde.",
  "explain.differs":
    "Der Monitor wurde seitdem geändert, oder Ergebnisse kamen verspätet an: Mit den heutigen Einstellungen ergeben die gespeicherten Ergebnisse einen anderen Verlauf als den aufgezeichneten.",
  "explain.cut":
    "Es sind zu viele Ergebnisse, um alle durchzugehen: Die nach {until:time} wurden ausgelassen.",
  "explain.deleted": "Der Monitor wurde gelöscht und mit ihm seine Ergebnisse.",
  "explain.maintenance":
    "Bis {until:time} ist Wartung: Geprüft wird weiter, aber niemand wird benachrichtigt.",
  "explain.more": "Erklärt werden die ersten {shown} von {total} Ausfällen.",
  "whatif.same":
    "Fehler in Folge bis zum Ausfall: {confirmations}; Erfolge bis zur Erholung: {recoveries}; {quorum:word}. Erkannt im selben Augenblick.",
  "whatif.later":
    "Fehler in Folge bis zum Ausfall: {confirmations}; Erfolge bis zur Erholung: {recoveries}; {quorum:word}. Erkannt {by:duration} später.",
  "whatif.earlier":
    "Fehler in Folge bis zum Ausfall: {confirmations}; Erfolge bis zur Erholung: {recoveries}; {quorum:word}. Erkannt {by:duration} früher.",
  "whatif.none":
    "Fehler in Folge bis zum Ausfall: {confirmations}; Erfolge bis zur Erholung: {recoveries}; {quorum:word}. Es hätte keinen Alarm gegeben.",
  "quorum.majority": "mehr als die Hälfte der Standorte",
  "quorum.count": "fehlerhafte Standorte: {locations}",
  "whatif.closed_later": "Der Vorfall hätte sich {by:duration} später geschlossen.",
  "whatif.closed_earlier": "Der Vorfall hätte sich {by:duration} früher geschlossen.",
  "whatif.open": "Der Vorfall wäre noch offen.",
  "whatif.several": "Es hätte {count} Alarme gegeben statt {before}.",
  "whatif.assumed":
    "Für Nachprüfungen, die diese Einstellungen verlangt hätten und die es nicht gab, wird das Ergebnis der Prüfungen davor und danach angenommen ({count}).",

  "incident.not_grouped": "Es gibt nichts herauszulösen: Der Vorfall betrifft nur einen Monitor.",
  "incident.not_in_it": "In diesem Vorfall ist kein Monitor mit dieser ID ausgefallen.",
};
