import type { MailTexts } from "./mail-texts.ts";

/** What mail says, in German; see en.ts. */
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
    "Vedette hat den Kanal {name} deaktiviert, weil die Gegenseite seine Nachrichten ablehnt. {why:fact}",
  "channel_off.action": "Kanäle ansehen",
  "channel_off.ending":
    "Korrigieren Sie seine Einstellungen und schalten Sie ihn wieder ein. Bis dahin wird er einmal am Tag versucht und benachrichtigt sonst niemanden.",

  "footer.text": "Gesendet von Vedette auf {address}",
};
