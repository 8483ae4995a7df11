import type { explanations as english } from "./en.ts";

/** Why an incident opened and closed, and what other settings would have done, in German; see en.ts. */
export const explanations: Readonly<Record<keyof typeof english, string>> = {
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
