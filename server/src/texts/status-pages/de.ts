import type { StatusPageTexts } from "./en.ts";

/** What visitors of a status page read, in German; see en.ts. */
export const de: StatusPageTexts = {
  "language.name": "Deutsch",
  "language.choose": "Sprache",

  "overall.operational": "Alle Systeme funktionieren",
  "overall.maintenance": "Wartungsarbeiten laufen",
  "overall.degraded": "Eingeschränkter Betrieb",
  "overall.partial_outage": "Teilausfall",
  "overall.major_outage": "Großflächiger Ausfall",
  "overall.unknown": "Status unbekannt",
  "overall.empty": "Auf dieser Seite ist noch nichts zu sehen",
  "overall.at": "Stand: {at}",
  "overall.old": "So war der Stand am {at}. Neuere Informationen sind zurzeit nicht verfügbar.",

  "status.operational": "In Betrieb",
  "status.degraded": "Beeinträchtigt",
  "status.outage": "Ausfall",
  "status.maintenance": "Wartung",
  "status.unknown": "Unbekannt",
  "status.paused": "Nicht überwacht",
  "status.no_data": "Keine Daten",

  "stage.open": "Offen",
  "stage.investigating": "Wird untersucht",
  "stage.identified": "Ursache gefunden",
  "stage.monitoring": "Wird beobachtet",
  "stage.resolved": "Behoben",

  "part.incidents": "Aktuelle Störungen",
  "part.maintenance": "Wartung",
  "part.ahead": "Geplante Wartung",
  "part.components": "Systeme",
  "part.recent": "Letzte Störungen",
  "part.history": "Frühere Störungen",
  "part.updates": "Verlauf",

  "incident.since": "Seit {since}",
  "incident.lasted": "{from}, Dauer {lasted}",
  "incident.affects": "Betroffen: {names}",
  "incident.quiet": "Noch keine Meldungen.",
  "incident.all": "Alle Störungen",
  "recent.none": "Keine Störungen in den letzten {count} Tagen.",
  "history.none": "Keine Störungen in diesem Monat.",
  "history.newer": "Neuere",
  "history.older": "Ältere",
  "history.months": "Monate",
  back: "Zurück zum aktuellen Status",

  "maintenance.running": "Läuft, bis {until}",
  "maintenance.ahead": "{from} bis {until}",

  "days.first.one": "Vor {count} Tag",
  "days.first.other": "Vor {count} Tagen",
  "days.last": "Heute",
  "days.uptime": "{percent} Verfügbarkeit",
  "days.trouble.none": "Keine Ausfälle in den letzten {count} Tagen.",
  "days.trouble.one": "{days} Tag mit Störungen in den letzten {count}.",
  "days.trouble.other": "{days} Tage mit Störungen in den letzten {count}.",
  "day.outage": "Ausfall von {from} bis {to}",
  "day.outage_since": "Ausfall seit {from}",
  "day.more": "und {count} weitere",
  "speed.label": "Antwortzeit, 24 Stunden",
  "speed.now": "{ms} ms",
  "speed.chart": "Zwischen {least} und {most} ms",

  "foot.calendar": "Wartungskalender",
  "foot.zone": "Alle Zeiten in der Zeitzone {zone}.",
  "foot.made": "Erstellt mit {maker}",

  "missing.title": "Seite nicht gefunden",
  "missing.text": "Unter dieser Adresse gibt es nichts.",
  "away.title": "Der Status kann gerade nicht angezeigt werden",
  "away.text":
    "Diese Seite gibt es, aber ihre Daten sind zurzeit nicht erreichbar. Sie versucht es alle 15 Sekunden von selbst wieder.",

  "feed.title": "{name}: Status",
  "feed.description": "Störungen und Wartungen von {name}",
  "feed.maintenance": "Wartung: {title}",
  "calendar.title": "Wartungen von {name}",
  "badge.uptime": "Verfügbarkeit",
  "badge.response": "Antwortzeit",
  "widget.title": "Status von {name}",

  "automatic.down": "{name} ist nicht verfügbar",
  "automatic.down_several": "{name} und {others} weitere sind nicht verfügbar",
};
