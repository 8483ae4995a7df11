import type { MailTexts } from "../mails/mail-texts.ts";
import type { notifications as englishNotifications, ReportMailTexts } from "./en.ts";

export const notifications: Readonly<Record<keyof typeof englishNotifications, string>> = {
  "incident.down": "{name} ist ausgefallen",
  "incident.down_over": "{name} war ausgefallen",
  "incident.outage": "{name} funktioniert seit {since:time} nicht.{ because}",
  "incident.outage_over": "{name} funktionierte ab {since:time} nicht.{ because}",
  "incident.recovered": "{name} funktioniert wieder. Der Ausfall dauerte {lasted:duration}.",
  "incident.unwatched":
    "{name} wird nicht mehr überwacht; dieser Vorfall wurde daher geschlossen (Dauer: {lasted:duration}). Ob es wieder funktioniert, ist nicht bekannt.",
  "incident.status_set": "Neuer Status: {stage:word}.",
  "stage.open": "Offen",
  "stage.investigating": "Wird untersucht",
  "stage.identified": "Ursache gefunden",
  "stage.monitoring": "Wird beobachtet",
  "stage.resolved": "Behoben",
  "incident.reopened": "Der Vorfall wurde wieder geöffnet.",
  "incident.merged": "Der Vorfall „{title}“ wurde mit diesem zusammengeführt.{ because}",

  "incident.outages": "{name} und {others:count} funktionieren seit {since:time} nicht.{ because}",
  "incident.outages_over": "{name} und {others:count} funktionierten ab {since:time} nicht.{ because}",
  "incident.outages_merged":
    "{name} und {others:count} funktionieren nicht, der erste davon seit {since:time}.{ because}",
  "incident.outages_merged_over":
    "{name} und {others:count} funktionierten nicht, der erste davon ab {since:time}.{ because}",
  "incident.flapping": "{name} fällt immer wieder aus",
  "incident.flapping_several": "{name} und {others:count} fallen immer wieder aus",
  "incident.keeps_failing":
    "{name} fällt seit {since:time} immer wieder aus und erholt sich wieder.{ because}",
  "incident.keep_failing":
    "{name} und {others:count} fallen seit {since:time} immer wieder aus und erholen sich wieder.{ because}",
  "incident.down_several": "{name} und {others:count} sind ausgefallen",
  "incident.down_several_over": "{name} und {others:count} waren ausgefallen",
  "incident.problems_several": "{name} und {others:count} haben Probleme",
  "incident.problems_several_over": "{name} und {others:count} hatten Probleme",
  "incident.problems": "{name} und {others:count} haben seit {since:time} Probleme.{ because}",
  "incident.problems_over": "{name} und {others:count} hatten ab {since:time} Probleme.{ because}",
  "others.one": "{others} weiterer Monitor",
  "others.other": "{others} weitere Monitore",
  "incident.joined": "Auch {name} ist ausgefallen.{ because}",
  "incident.joined_several": "Auch {name} und {others:count} sind ausgefallen.{ because}",
  "incident.down_again": "{name} ist erneut ausgefallen.",
  "incident.down_again_several": "{name} und {others:count} sind erneut ausgefallen.",
  "incident.split": "{name} wurde aus diesem Vorfall herausgelöst und hat jetzt einen eigenen.{ because}",
  "incident.split_off": "{name} wurde aus einem anderen Vorfall herausgelöst.{ because}",
  "incident.acknowledged_more": "Ebenfalls quittiert: {names}.",
  "incident.acknowledged_more_via": "Ebenfalls über {channel} quittiert: {names}.",
  "incident.deleted": "Der Vorfall wurde gelöscht.",
  "incident.see": "Siehe Vorfall #{incident}.",
  "grouped.parent": "Gemeinsame Abhängigkeit: {name}.",
  "grouped.behind_one": "{other} hängt von {name} ab.",
  "grouped.behind": "{name} ist ausgefallen, und die anderen hängen davon ab.",
  "grouped.host": "Gemeinsamer Host: {host}.",
  "grouped.address": "Gemeinsame Adresse: {address}.",
  "grouped.network":
    "Vom Standort {location:place} aus waren sie nicht erreichbar; möglicherweise liegt es am dortigen Netz.",
  "grouped.merged": "Jemand hat ihre Vorfälle zusammengeführt.",
  "notification.down_together": "{name} und {others:count} sind seit {since:time} ausgefallen.{ because}",
  "notification.recovered_together": "{name} und {others:count} sind seit {since:time} wieder erreichbar.",

  "notification.acknowledged": "{who} hat den Ausfall von {name} quittiert.",
  "notification.acknowledged_device": "{who} hat die Probleme von {name} quittiert.",
  "notification.incident_acknowledged": "{who} hat diesen Vorfall quittiert.",
  "notification.down": "{name} ist seit {since:time} ausgefallen.{ because}",
  "notification.behind":
    "{name} ist seit {since:time} ausgefallen, ebenso {parent}, wovon der Monitor abhängt.{ because}",
  "notification.down_among":
    "{name} ist seit {since:time} ausgefallen.{ because} Das ist einer von {count} gemeinsamen Ausfällen; zuerst traf es {lead}.",
  "notification.up": "{name} ist seit {since:time} wieder ganz in Ordnung.",
  "notification.recovered":
    "{name} funktioniert seit {since:time} wieder; der Ausfall dauerte {lasted:duration}.",
  "notification.certificate_soon": "Das Zertifikat von {name} läuft am {day:day} ab, in {left:duration}.",
  "notification.certificate_path_soon": "{name}:{ because}",
  "notification.certificate_bad": "Das Zertifikat von {name} ist nicht gültig.{ because}",
  "notification.certificate_ok":
    "Das Zertifikat von {name} ist wieder in Ordnung und gilt bis zum {day:day}.",
  "notification.budget_fast": "Das Fehlerbudget von {name} wird schnell verbraucht.{ because}",
  "notification.budget_slow": "Das Fehlerbudget von {name} wird langsam aufgebraucht.{ because}",
  "notification.budget_steady":
    "Das Fehlerbudget von {name} wird nicht mehr zu schnell verbraucht.{ because}",
  "notification.degraded": "{name} ist seit {since:time} beeinträchtigt.{ because}",
  "incident.critical": "{name} ist in kritischem Zustand",
  "incident.critical_over": "{name} war in kritischem Zustand",
  "incident.unhealthy": "{name} ist seit {since:time} in kritischem Zustand.{ because}",
  "incident.unhealthy_over": "{name} war ab {since:time} in kritischem Zustand.{ because}",
  "incident.not_healthy": "{name} ist noch nicht in Ordnung",
  "incident.offline_critical_over": "{name} war offline und in kritischem Zustand",
  "incident.now_critical": "{name} ist in kritischem Zustand.{ because}",
  "incident.now_critical_over": "{name} war in kritischem Zustand.{ because}",
  "incident.now_warning":
    "{name} ist nicht mehr in kritischem Zustand, aber noch nicht in Ordnung.{ because}",
  "incident.now_warning_over":
    "{name} war in kritischem Zustand und zuletzt noch nicht in Ordnung.{ because}",
  "incident.returned_critical":
    "{name} ist seit {since:time} wieder online, aber in kritischem Zustand.{ because}",
  "incident.returned_critical_over":
    "{name} war ab {since:time} wieder online, aber in kritischem Zustand.{ because}",
  "incident.returned_warning":
    "{name} ist seit {since:time} wieder online, aber noch nicht in Ordnung.{ because}",
  "incident.returned_warning_over":
    "{name} war ab {since:time} wieder online, aber noch nicht in Ordnung.{ because}",
  "incident.healthy": "{name} ist wieder in Ordnung. Das Problem bestand {lasted:duration} lang.",
  "notification.offline": "{name} ist seit {since:time} offline.{ because}",
  "notification.online": "{name} ist seit {since:time} wieder online und in Ordnung.",
  "notification.back_online": "{name} ist seit {since:time} wieder online, nach {lasted:duration}.",
  "notification.unhealthy": "{name} ist seit {since:time} im Warnzustand.{ because}",
  "notification.critical": "{name} ist seit {since:time} in kritischem Zustand.{ because}",
  "notification.well": "{name} ist seit {since:time} wieder in Ordnung.",
  "notification.healthy": "{name} ist seit {since:time} wieder in Ordnung, nach {lasted:duration}.",
  "notification.flapping":
    "{name} fällt immer wieder aus und kommt zurück.{ because} Die nächste Meldung folgt, wenn es eine Weile stabil war.",
  "notification.stable_up":
    "{name} läuft wieder stabil: seit {since:time} ohne Ausfall, zehn Prüfungen lang. Davor ging es {unstable:duration} lang auf und ab.",
  "notification.stable_down":
    "{name} kommt nicht mehr zurück und ist seit {since:time} durchgehend ausgefallen. Davor ging es {unstable:duration} lang auf und ab.",
  "notification.stopped":
    "{name} wird seit {since:time} nicht mehr geprüft.{ because} Ob es funktioniert, ist nicht bekannt.",
  "notification.unwatched": "{name} wird seit {since:time} nicht mehr überwacht: {because}.",
};

export const mails: MailTexts = {
  "reset.subject": "Neues Passwort wählen",
  "reset.text":
    "Jemand, vermutlich Sie selbst, hat für Ihr Vedette-Konto ein neues Passwort angefordert. Wählen Sie es innerhalb einer Stunde:",
  "reset.action": "Neues Passwort wählen",
  "reset.ending":
    "Der Link funktioniert einmal. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr Passwort ist unverändert.",

  "confirm.subject": "Neue E-Mail-Adresse bestätigen",
  "confirm.text":
    "Jemand, vermutlich Sie selbst, möchte {email} für ein Vedette-Konto verwenden. Wenn Sie das sind, bestätigen Sie es innerhalb einer Stunde:",
  "confirm.action": "Adresse bestätigen",
  "confirm.ending": "Der Link funktioniert einmal. Wenn Sie das nicht waren, brauchen Sie nichts zu tun.",

  "changed.subject": "Ihre E-Mail-Adresse wurde geändert",
  "changed.text":
    "Ihr Vedette-Konto hat jetzt die E-Mail-Adresse {email}. Melden Sie sich künftig damit an; auch E-Mails gehen dorthin.",
  "changed.ending":
    "Wenn Sie das nicht waren, wenden Sie sich sofort an die Betreiber dieser Vedette-Installation.",

  "invitation.subject": "{name} lädt Sie zu {organization} ein",
  "invitation.text":
    "{name} lädt Sie ein, {organization} auf Vedette beizutreten, als {role:word}. Zum Annehmen melden Sie sich an oder legen ein Konto an:",
  "invitation.action": "Einladung ansehen",
  "invitation.ending":
    "Die Einladung gilt einmal, für {email}, bis {until:time}. Wenn Sie {name} nicht kennen, brauchen Sie nichts zu tun.",

  "test.subject": "Test-E-Mail von Vedette",
  "test.text":
    "Sie haben diese E-Mail in den Einstellungen von Vedette angefordert. Sie ist angekommen: Vedette kann E-Mails senden.",

  "channel_off.subject": "Der Kanal „{name}“ wurde deaktiviert",
  "channel_off.text":
    "Vedette hat den Kanal {name} deaktiviert, weil die Gegenseite seine Nachrichten ablehnt. {why:message}",
  "channel_off.action": "Kanal ansehen",
  "channel_off.ending":
    "Korrigieren Sie seine Einstellungen und schalten Sie ihn wieder ein. Bis dahin wird es einmal am Tag versucht; sonst wird dorthin nichts gesendet.",

  "footer.text": "Gesendet von Vedette auf {address}",
};

export const de: ReportMailTexts = {
  "subject.weekly": "{organization}: die Woche vom {from} bis {to}",
  "subject.monthly": "{organization}: {month}",
  "heading.weekly": "Wochenbericht: {from} bis {to}",
  "heading.monthly": "Monatsbericht: {month}",
  intro: "Was {organization} überwacht hat, nach den Uhren von {zone}.",
  "totals.title": "Insgesamt",
  "totals.domain": "Domains ({count})",
  "totals.service": "Dienste ({count})",
  "totals.device": "Geräte ({count})",
  "totals.line": "{uptime} verfügbar (davor: {previous}), {outages}",
  "totals.down": "{line}, zusammen {down}",
  "totals.unknown": "über diese Zeit ist nichts bekannt",
  "outages.none": "kein Ausfall",
  "outages.one": "{count} Ausfall",
  "outages.other": "{count} Ausfälle",
  "worst.title": "Niedrigste Verfügbarkeit",
  "worst.line": "{uptime} verfügbar, {outages}, {down} ausgefallen",
  "slowest.title": "Am langsamsten",
  "slowest.line": "95 % der Prüfungen dauerten bis zu {time}",
  "happened.title": "Was geschah",
  "happened.none": "Keine Vorfälle.",
  "happened.over": "{since}, {lasted} lang",
  "happened.open": "seit {since}, noch offen",
  "happened.more.one": "und {count} weiterer Vorfall",
  "happened.more.other": "und {count} weitere Vorfälle",
  "budgets.title": "Fehlerbudgets",
  "budgets.left": "{left} von {allowed} übrig ({percent} in {days} Tagen)",
  "budgets.spent": "aufgebraucht, und {over} darüber hinaus ({percent} in {days} Tagen)",
  "budgets.none": "noch ohne Grundlage ({percent} in {days} Tagen)",
  "between.name": "{name}: {text}",
  action: "Bericht ansehen",
};
