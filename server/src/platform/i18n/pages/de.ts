import type { pages as englishPages } from "./en.ts";

export const pages: Record<keyof typeof englishPages, string> = {
  "page.slug": "Ein Kurzname hat 3 bis 64 Zeichen: a bis z, 0 bis 9 und Bindestriche.",
  "page.slug_reserved": "Der Kurzname {slug} ist reserviert. Wählen Sie einen anderen.",
  "page.slug_taken": "Der Kurzname {slug} ist vergeben. Wählen Sie einen anderen.",
  "page.slug_former":
    "Der Kurzname {slug} gehörte vor weniger als {days} Tagen zur Seite einer anderen Organisation und führt noch dorthin. Wählen Sie einen anderen.",
  "page.no_monitor": "Es gibt nichts dieser Art mit der ID {id}.",
  "page.linked": "Das steht bereits auf dieser Seite.",
  "page.name_needed":
    "Der Name dieses Monitors verrät, was geprüft wird. Wählen Sie den Namen, den Besucher sehen sollen.",
  "page.no_group": "Diese Seite hat keine Gruppe {id}.",
  "page.no_component": "Diese Seite hat keine Komponente {id}.",
  "page.component_twice": "Die Komponente {id} ist zweimal angegeben.",
  "page.group_twice": "Die Gruppe {id} ist zweimal angegeben.",
  "page.changed":
    "Jemand hat diese Seite inzwischen geändert. Laden Sie sie neu und ändern Sie den aktuellen Stand.",
  "page.many_components": "Eine Statusseite kann {limit} Komponenten haben.",
  "page.many": "Eine Organisation kann {limit} Statusseiten haben.",
  "subscriber.no_email": "Das ist keine E-Mail-Adresse.",
  "subscriber.no_url": "Das ist keine Webadresse.",
  "subscriber.no_components": "Wählen Sie mindestens eine Komponente.",
  "subscriber.known": "Diese Adresse ist bereits abonniert.",
  "subscriber.many": "Eine Statusseite kann {limit} Abonnenten haben.",
  "subscriber.agreed": "Wo sich jeder registrieren kann, werden alle gefragt, ob sie das möchten.",
  "subscriber.one_list": "Senden Sie entweder addresses oder content.",
  "subscriber.long_list":
    "Die Liste hat {count} Adressen; höchstens {limit} lassen sich auf einmal importieren. Teilen Sie sie auf.",
  "subscriber.empty_list": "In dieser Liste steht keine Adresse.",
  "subscriber.column_language": "In der Spalte „language“ steht „{language}“. Möglich sind en, de und zh.",
  "subscriber.column_components": "Die Spalte „components“ nennt „{id}“, was nicht auf dieser Seite ist.",
  "page.network": "{network} ist kein Netz wie 192.0.2.0/24 oder 2001:db8::/32.",
  "page.locked": "Diese Seite verlangt ihr Passwort.",
  "page.color": "Eine Farbe wird als #rrggbb geschrieben, zum Beispiel #0b6e4f.",
  "page.css_large": "Ein Stylesheet darf höchstens {limit} kB groß sein.",
  "page.css_syntax": "Zeile {line}: Das lässt sich nicht als CSS lesen.",
  "page.css_rule": "Zeile {line}: Die Regel {name} ist hier nicht erlaubt.",
  "page.css_property": "Zeile {line}: Die Eigenschaft {name} ist hier nicht erlaubt.",
  "page.css_function": "Zeile {line}: Die Funktion {name} ist hier nicht erlaubt.",
  "page.css_value": "Zeile {line}: {name} darf hier nicht {value} sein.",
  "page.css_url":
    "Zeile {line}: Es kann nichts nachgeladen werden. Erlaubt sind nur Bilder im Stylesheet selbst (data:image/…).",
  "page.logo_large": "Ein Logo darf höchstens {limit} kB groß sein.",
  "page.logo_type": "Ein Logo ist ein Bild im Format PNG, JPEG, WebP, GIF oder SVG.",
  "page.logo_size": "Ein Logo hat höchstens {limit} Pixel je Seite; dieses hat {width} × {height}.",
  "page.logo_broken": "Dieses Bild lässt sich nicht lesen.",
  "page.logo_expands":
    "Ein SVG-Logo darf keine Teile zeichnen, die wieder andere zeichnen, und dieselben Teile nicht tausendfach. Vereinfachen Sie: {found}",
  "page.logo_active":
    "Ein SVG-Logo darf keine Skripte und nichts von anderswo enthalten. Entfernen Sie dies: {found}",
  "page.domain_form": "Geben Sie einen Hostnamen wie status.example.org ein, ohne https:// und ohne Pfad.",
  "page.domain_ip": "Geben Sie einen Hostnamen ein; eine Seite kann keine IP-Adresse als eigene haben.",
  "page.domain_own": "Das ist die Adresse der Installation selbst. Wählen Sie einen anderen Hostnamen.",
  "page.domain_suffix":
    "{host} kann keiner Seite gehören. Geben Sie einen Namen unter einer Ihrer Domains ein, zum Beispiel status.example.org.",
  "page.domain_address":
    "Seiten können eigene Domains haben, sobald die Installation ihre Adresse kennt. Wer sie betreibt, setzt dazu VEDETTE_PUBLIC_URL.",
  "page.domain_taken":
    "Unter {host} ist eine andere Statusseite erreichbar. Wenn die Domain Ihnen gehört, setzen Sie den TXT-Eintrag {record} auf {value} und versuchen Sie es erneut.",
  "page.domain_held":
    "Unter {host} ist eine andere Statusseite erreichbar, und deren TXT-Eintrag besteht noch. Entfernen Sie ihn.",
  "page.domain_none": "Diese Seite hat keine eigene Domain.",
  "page.points_nowhere": "{host} hat im DNS noch keine Adresse.",
  "page.points_elsewhere": "{host} führt zu {found}; {wanted} ist woanders.",
  "page.own_unknown":
    "Die Adresse der Installation selbst, {host}, konnte nicht ermittelt werden. Es wird erneut versucht.",
  "page.proof_missing": "Es gibt noch keinen TXT-Eintrag {record}.",
  "page.proof_other": "Im TXT-Eintrag {record} steht {found} statt {wanted}.",
  "page.dns_silent":
    "Die Nameserver haben auf die Abfrage von {host} nicht geantwortet. Es wird erneut versucht.",
  "subscriber.owner_unconfirmed":
    "Diese Statusseite verschickt noch keine E-Mails: Keiner ihrer Eigentümer hat eine E-Mail-Adresse bestätigt.",
  "subscriber.confirmation_limit":
    "Innerhalb einer Stunde wurden zu viele Bestätigungen angefordert. Versuchen Sie es später noch einmal.",
  "subscriber.gone": "Das Abonnement besteht nicht mehr.",
  "subscriber.closed": "Die Seite ist nur für Mitglieder.",
  "subscriber.outdated": "Eine neuere Nachricht sagt das mit.",
  "subscriber.withdrawn": "Die Seite zeigt das nicht mehr.",
  "subscriber.turn": "Was davor dazu gesendet wurde, ist noch unterwegs.",
  "template.placeholder": "Es gibt keinen Platzhalter {name}. Verwenden Sie {known}.",
  "template.many": "Eine Organisation kann {limit} Vorlagen haben.",
  "template.language_twice": "Die Sprache {language} ist zweimal angegeben.",
};
