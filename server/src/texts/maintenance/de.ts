import type { maintenance as english } from "./en.ts";

/** What there is to say of maintenance windows, in German (see ../en.ts for the slots). */
export const maintenance: Record<keyof typeof english, string> = {
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
