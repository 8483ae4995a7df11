import type { inputs as englishInputs, refusals as englishRefusals } from "./en.ts";

const inputs: Readonly<Record<keyof typeof englishInputs, string>> = {
  "input.invalid": "Einige Angaben sind ungültig.",
  "input.required": "Pflichtfeld",
  "input.type": "Bitte {types:word} eingeben.",
  "input.choice": "Diese Auswahl ist ungültig. Möglich sind: {choices}.",
  "input.documented": "Diese Auswahl ist ungültig. Was möglich ist, steht in der API-Dokumentation (/docs).",
  "input.variant": "Diese Auswahl ist ungültig.",
  "input.constant": "Hier muss {value} stehen.",
  "input.short": "Mindestens {limit} Zeichen.",
  "input.lengthy": "Höchstens {limit} Zeichen.",
  "input.minimum": "Mindestens {limit}.",
  "input.above": "Mehr als {limit}.",
  "input.maximum": "Höchstens {limit}.",
  "input.below": "Weniger als {limit}.",
  "input.empty": "Wählen Sie mindestens einen Eintrag.",
  "input.few": "Mindestens {limit} Einträge.",
  "input.many": "Höchstens {limit} Einträge.",
  "input.duplicate": "Ein Wert kommt doppelt vor.",
  "input.format": "Bitte {format:word} eingeben.",
  "input.malformed": "Ungültiges Format",
  "input.unknown": "Das Feld „{field}“ gibt es hier nicht.",
  "input.unknown_meant": "Das Feld „{field}“ gibt es hier nicht. Meinten Sie „{name}“?",
  "input.parameter": "Den Parameter „{field}“ gibt es hier nicht.",
  "input.parameter_meant": "Den Parameter „{field}“ gibt es hier nicht. Meinten Sie „{name}“?",
  "input.nul": "Das Zeichen U+0000 ist hier nicht erlaubt.",
  "input.nul_name": "Der Feldname „{field}“ darf das Zeichen U+0000 nicht enthalten.",
  "input.reserved_name": "Ein Feld namens „{name}“ ist hier nicht erlaubt.",
  "input.future": "Der Zeitpunkt muss in der Zukunft liegen.",
  "input.past": "Der Zeitpunkt darf nicht in der Zukunft liegen.",
  "input.time_zone": "Die Zeitzone muss ein Name aus der IANA-Datenbank sein, etwa Europe/Berlin.",
  "types.string": "einen Text",
  "types.integer": "eine ganze Zahl",
  "types.number": "eine Zahl",
  "types.boolean": "„true“ oder „false“",
  "types.array": "eine Liste",
  "types.object": "ein Objekt",
  "types.null": "„null“",
  "types.number_or_string": "eine Zahl oder einen Text",
  "types.string_or_null": "einen Text oder null",
  "types.integer_or_null": "eine ganze Zahl oder null",
  "types.number_or_null": "eine Zahl oder null",
  "types.array_or_null": "eine Liste oder null",
  "types.integer_or_string": "eine ganze Zahl oder einen Text",
  "types.string_or_integer": "einen Text oder eine ganze Zahl",
  "types.string_or_number": "einen Text oder eine Zahl",
  "types.string_or_integer_or_null": "einen Text, eine ganze Zahl oder null",
  "types.string_or_number_or_null": "einen Text, eine Zahl oder null",
  "format.email": "eine gültige E-Mail-Adresse",
  "format.uuid": "eine gültige UUID",
  "format.date-time": "einen Zeitpunkt nach ISO 8601 wie 2026-11-21T09:30:00Z",
  "format.date": "ein Datum wie 2026-11-21",
};

export const refusals: Readonly<Record<keyof typeof englishRefusals, string>> = {
  ...inputs,
  "request.unauthenticated":
    "Ihre Sitzung ist beendet. Damit nichts verloren geht, melden Sie sich in einem anderen Fenster an und speichern Sie dann hier noch einmal.",
  "request.not_found": "Nicht gefunden.",
  "request.too_many": "Zu viele Versuche. Bitte warten Sie einen Moment.",
  "request.too_many_streams": "Mehr als {limit} offene Fenster mit Live-Daten sind nicht möglich.",
  "request.unavailable": "Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.",
  "request.error": "Auf dem Server ist ein Fehler aufgetreten. Näheres steht in seinem Protokoll.",
  "request.foreign":
    "Diese Anfrage kommt nicht von den Seiten dieser Installation: Ihr Origin-Header fehlt oder nennt eine andere Website.",
  "request.foreign_open":
    "Diese Anfrage kommt nicht von den Seiten dieser Installation. Öffnen Sie {address}.",
  "request.forwarded":
    "Diese Anfrage kam über einen Proxy, von dem Vedette nichts weiß. Setzen Sie VEDETTE_PUBLIC_URL und VEDETTE_TRUSTED_PROXIES, starten Sie Vedette neu und versuchen Sie es noch einmal.",
  "request.unknown_host":
    "Vedette lässt sich nur unter einer bekannten Adresse einrichten. Öffnen Sie {address} oder setzen Sie VEDETTE_PUBLIC_URL auf die Adresse, die alle benutzen werden.",
  "chat.long": "Eine Nachricht darf höchstens {limit} KiB lang sein.",
  "chat.many_conversations":
    "Sie können {limit} Unterhaltungen über eine Organisation behalten. Löschen Sie eine, die Sie nicht mehr brauchen.",
  "chat.many_messages": "Eine Unterhaltung kann {limit} Nachrichten haben. Beginnen Sie eine neue.",
  "request.unreadable": "Die Anfrage konnte nicht gelesen werden.",
  "request.not_json": "Der Inhalt der Anfrage ist kein gültiges JSON.",
  "request.not_utf8": "Der Inhalt der Anfrage ist kein gültiges UTF-8.",
  "request.packed": "Der Inhalt der Anfrage ließ sich nicht so entpacken, wie es Content-Encoding angibt.",
  "request.content_coding":
    "Dieses Content-Encoding wird nicht unterstützt. Möglich ist gzip, deflate, br oder zstd, jeweils nur eines.",
  "request.deep": "Der Inhalt der Anfrage ist zu tief verschachtelt: höchstens {limit} Ebenen.",
  "request.values": "Der Inhalt der Anfrage hat zu viele Werte: höchstens {limit}.",
  "request.keys": "Ein Objekt im Inhalt der Anfrage hat zu viele Felder: höchstens {limit}.",
  "request.address": "Die Adresse der Anfrage konnte nicht gelesen werden.",
  "request.host": "Die Anfrage braucht genau einen Host-Header.",
  "request.method": "Diese Methode ist hier nicht möglich.",
  "request.methods": "Diese Methode ist hier nicht möglich. Möglich sind: {methods}.",
  "request.slow": "Die Anfrage ist zu langsam angekommen.",
  "request.large": "Der Inhalt der Anfrage ist zu groß: höchstens {limit} KB.",
  "request.long": "Die Adresse ist zu lang.",
  "request.media": "Der Inhalt der Anfrage muss JSON sein (Content-Type: application/json).",
  "request.expectation": "Nur Expect: 100-continue lässt sich erfüllen.",
  "request.coding": "Von den Transfer-Codings wird nur chunked unterstützt.",
  "request.header": "Der Header der Anfrage ist zu groß: höchstens 16 KB.",
  "request.refused": "Die Anfrage wurde abgelehnt.",

  "assistant.subscriptions": "Höchstens {limit} Abonnements je Sitzung.",
  "assistant.confirmation":
    "Damit ist dieser Aufruf nicht bestätigt: Die Bestätigung gilt einem anderen, ist älter als fünf Minuten oder wurde schon benutzt. Ein Aufruf ohne sie liefert eine neue.",
  "access.plan": "Dafür brauchen Sie den Tarif {needs:word}.",
  "needs.free": "Free",
  "needs.pro": "Pro",
  "needs.expert": "Expert",
  "needs.reports": "Reports",
  "access.scope": "Diesem API-Schlüssel fehlt die Berechtigung {scope}.",
  "access.role": "Ihre Rolle in dieser Organisation ({role:word}) lässt das nicht zu.",
  "access.low_role": "Ihre Rolle in dieser Organisation ({role:word}) erlaubt das nicht.",
  "role.owner": "Inhaber",
  "role.admin": "Administrator",
  "role.member": "Mitglied",
  "role.viewer": "Betrachter",
  "access.session": "Das können nur angemeldete Personen; mit einem API-Schlüssel geht es nicht.",
  "access.grant_scope":
    "Dieser API-Schlüssel kann {scope} nicht vergeben: Er hat diese Berechtigung selbst nicht.",
  "access.grant_everywhere":
    "Dieser API-Schlüssel kann keinen für alle Organisationen erstellen: Er gilt nur in seiner eigenen.",
  "access.own_organization":
    "Dieser API-Schlüssel gilt nur in seiner eigenen Organisation. Erstellen Sie einen für alle Ihre Organisationen oder melden Sie sich an.",
  "access.recovered":
    "Dieser API-Schlüssel ist älter als die Wiederherstellung dieses Kontos; vielleicht hat ihn jemand anders erstellt. Erstellen Sie einen neuen Schlüssel oder melden Sie sich an.",
  "access.owner": "Nur Inhaber können jemanden zum Inhaber machen oder Inhaber ändern.",
  "access.foreign_scopes":
    "Keine der Berechtigungen (scopes) dieses Tokens gilt hier. Sie lauten etwa read:domains oder write:incidents; ein Token ohne scopes darf, was seine Person darf.",
  "access.owner_session":
    "Inhaber ernennen oder ändern können nur angemeldete Inhaber; mit einem API-Schlüssel geht es nicht.",
  "access.grant_role":
    "Dieser API-Schlüssel kann die Rolle {role} nicht vergeben: Ihm fehlt die Berechtigung {scope}, die dazu gehört.",
  "access.grant_lasting":
    "Dieser API-Schlüssel läuft ab, eine von ihm vergebene Rolle bliebe aber bestehen. Melden Sie sich an oder verwenden Sie einen Schlüssel ohne Ablauf.",
  "access.sign_up":
    "Auf dieser Installation kann sich niemand selbst registrieren. Bitten Sie den Betreiber um ein Konto.",
  "quota.devices": "Ihr Tarif erlaubt {limit} Geräte, und Sie haben {count}.",
  "quota.monitors": "Ihr Tarif erlaubt {limit} Monitore (Domains und Dienste), und Sie haben {count}.",
  "quota.invitations":
    "Eine Organisation kann {limit} offene Einladungen haben. Ziehen Sie eine zurück, die nicht mehr gebraucht wird.",

  "account.set_up": "Diese Installation ist schon eingerichtet. Melden Sie sich an.",
  "account.setup_token":
    "Das ist nicht das Einmal-Token, das der Server beim Start ausgegeben hat. Nach einem Neustart steht es dort wieder.",
  "account.credentials": "Die E-Mail-Adresse oder das Passwort ist falsch.",
  "account.password": "Das Passwort ist falsch.",
  "account.present_password": "Das bisherige Passwort ist falsch.",
  "account.password_is_email": "Das Passwort muss sich von der E-Mail-Adresse unterscheiden.",
  "account.code": "Der Code ist falsch oder wurde schon verwendet.",
  "account.busy": "Zu viele Anmeldungen auf einmal. Versuchen Sie es gleich noch einmal.",
  "account.homeless":
    "Dieses Konto gehört zu keiner Organisation mehr. Lassen Sie sich von einer einladen und melden Sie sich über den Link an.",
  "account.email_taken": "Diese E-Mail-Adresse ist schon vergeben.",
  "account.member": "Diese Person ist schon Mitglied.",
  "account.invitation_code":
    "Das ist nicht der Code dieser Einladung. Fragen Sie die Person, die Sie eingeladen hat.",
  "account.invitation":
    "Diese Einladung gilt nicht mehr: Sie ist abgelaufen, wurde schon angenommen oder zurückgezogen. Bitten Sie um eine neue.",
  "account.only_organization":
    "Das ist Ihre einzige Organisation. Gründen Sie zuerst eine andere oder treten Sie einer bei.",
  "account.last_owner":
    "Das ist der letzte Inhaber der Organisation. Machen Sie zuerst jemand anderen zum Inhaber.",
  "account.no_member": "Diese Person ist kein Mitglied der Organisation.",
  "account.owner_already": "Diese Person ist schon Inhaber.",
  "organization.name":
    "Das ist nicht der Name der Organisation. Geben Sie ihn genau so ein, wie er geschrieben ist.",
  "organization.ending":
    "Diese Organisation wird gelöscht ({at:time}), und in ihr wird nichts überwacht. Inhaber können das rückgängig machen.",
  "organization.staying": "Für diese Organisation ist keine Löschung vorgesehen.",
  "organization.ended":
    "Die Woche, in der sich die Löschung dieser Organisation rückgängig machen ließ, ist vorbei: Sie wird gelöscht.",
  "audit.many": "Mehr als {limit} Einträge: Grenzen Sie den Zeitraum ein.",
  "report.future": "Der Bericht muss in der Vergangenheit beginnen.",
  "report.range": "Geben Sie entweder einen Zeitraum oder einen Beginn an, nicht beides.",
  "report.long": "Ein Bericht umfasst höchstens {days} Tage.",
  "account.two_factor_on": "Die Zwei-Faktor-Anmeldung ist schon eingeschaltet. Schalten Sie sie zuerst aus.",
  "account.two_factor_off": "Die Zwei-Faktor-Anmeldung ist ausgeschaltet. Schalten Sie sie zuerst ein.",
  "account.two_factor_secret": "Fordern Sie zuerst ein neues Geheimnis für die Zwei-Faktor-Anmeldung an.",
  "account.organization_twice": "Die Organisation ist zweimal angegeben, mit verschiedenen Werten.",
  "account.scope":
    "Die Berechtigung {scope} ist nicht bekannt. Berechtigungen sehen aus wie read:domains oder write:*.",
  "account.key_end":
    "Der neue Schlüssel muss spätestens am {latest} ablaufen: Dann endet der API-Schlüssel, der ihn erstellt.",

  "account.link": "Dieser Link ist abgelaufen oder wurde schon verwendet. Fordern Sie einen neuen an.",
  "account.own_email": "Das ist schon Ihre E-Mail-Adresse.",
  "mail.off": "Diese Installation verschickt keine E-Mails. Wer sie betreibt, kann das mit SMTP_URL ändern.",
  "mail.no_address":
    "Diese Installation verschickt keine E-Mails mit Links. Wer sie betreibt, kann das mit VEDETTE_PUBLIC_URL ändern.",
  "mail.accepted": "Der Mailserver {where} hat sie angenommen: {said}",
  "mail.deferred": "Der Mailserver {where} nimmt sie gerade nicht an: {said}",
  "mail.refused": "Der Mailserver {where} hat sie abgelehnt: {said}",
  "mail.sign_in": "Der Mailserver {where} hat Benutzername oder Passwort abgelehnt: {said}",
  "mail.tls": "Zum Mailserver {where} kommt keine sichere Verbindung zustande ({error}).",
  "mail.silent": "Der Mailserver {where} hat nicht rechtzeitig geantwortet.",
  "mail.unreachable": "Der Mailserver {where} ist nicht erreichbar ({error}).",
  "mail.recipient": "An {address} lassen sich keine E-Mails senden: Das ist keine gültige Adresse.",
  "mail.confirm_first":
    "Bestätigen Sie zuerst Ihre eigene E-Mail-Adresse: Öffnen Sie die Mail, die Sie erhalten haben, oder lassen Sie sie in Ihrem Profil erneut senden. Bis dahin gehen keine Mails von Ihnen an andere.",
  "mail.external_limit":
    "Sie haben so viele Mails an andere senden lassen, wie an einem Tag erlaubt sind, oder diese Adresse hat schon so viele erhalten. Versuchen Sie es morgen wieder.",
  "mail.many":
    "An diese Adresse gingen in der letzten Stunde schon mehrere Einladungen. Warten Sie etwas, bevor Sie noch eine senden.",
  "delivery.late": "Sie konnte nicht rechtzeitig gesendet werden.",
  "delivery.error": "Vedette konnte sie nicht senden; der Grund steht im Protokoll des Servers.",

  "incident.is_resolved": "Dieser Vorfall ist behoben. Öffnen Sie ihn zuerst wieder.",
  "incident.has_begun":
    "An diesem Vorfall wird schon gearbeitet; er kann nicht wieder auf „offen“ gesetzt werden.",
  "incident.is_merged": "Dieser Vorfall wurde mit Vorfall {into} zusammengeführt. Machen Sie dort weiter.",
  "incident.is_over": "Dieser Vorfall ist behoben; es gibt nichts mehr zu quittieren.",
  "incident.is_open": "Dieser Vorfall ist nicht behoben.",
  "incident.acknowledged": "{name} hat diesen Vorfall am {at:time} quittiert.",
  "incident.no_incident": "In dieser Organisation gibt es keinen solchen Vorfall.",
  "incident.itself": "Ein Vorfall kann nicht mit sich selbst zusammengeführt werden.",
  "incident.into_resolved": "Der andere Vorfall ist behoben. Öffnen Sie ihn zuerst wieder.",
  "incident.into_merged":
    "Vorfall {other} ist in Vorfall {into} aufgegangen. Führen Sie diesen ebenfalls mit {into} zusammen.",
  "incident.into_own": "Vorfall {other} ist bereits in diesem aufgegangen.",
  "incident.not_affected": "Der Vorfall betrifft keinen Monitor mit dieser ID.",
  "incident.no_monitor":
    "In dieser Organisation gibt es weder Domain noch Dienst noch Gerät mit der Nummer {id}.",
  "incident.no_device": "In dieser Organisation gibt es kein Gerät mit der Nummer {id}.",
  "incident.no_page": "In dieser Organisation gibt es keine Statusseite {id}.",
  "incident.foreign_comment": "Diesen Kommentar können nur sein Autor, ein Admin oder ein Inhaber ändern.",
  "incident.written_by_itself":
    "Diesen Eintrag hat Vedette selbst geschrieben; sein Text lässt sich nicht ändern oder löschen.",
  "incident.many_updates":
    "Höchstens {limit} Meldungen je Vorfall. Legen Sie einen neuen an, oder ändern Sie eine Meldung.",

  "name.control": "Der Name darf keine Steuerzeichen enthalten.",
  "name.invisible": "Der Name muss mindestens ein sichtbares Zeichen enthalten.",
  "name.long": "Der Name darf höchstens {limit} Zeichen haben.",
  "name.taken_device": "Es gibt schon ein Gerät {name}. Geben Sie einen anderen Namen an.",
  "name.taken": "Sie überwachen {target} schon unter dem Namen {name}. Geben Sie einen anderen Namen an.",
  "tag.empty": "Ein Tag darf nicht leer sein.",
  "tag.action": "Tags gehören nur zur Aktion „tag“.",
  "tag.none": "Geben Sie an, welche Tags dazukommen oder wegfallen.",
  "tag.both": "Ein Tag kann nicht zugleich dazukommen und wegfallen.",
  "tag.many": "Mehr als {limit} Tags sind nicht möglich; hier wären es {count}.",
  "agent.no_runtime":
    "Für diese Maschine hat der Server kein Node. Installieren Sie dort Node 20 oder neuer: https://nodejs.org/en/download.",
  "agent.not_built":
    "Der Agent ist in dieser Installation nicht gebaut. Führen Sie im Ordner des Checkouts `npm run build -w agent` aus.",
  "noun.device": "Gerät",
  "noun.domain": "Domain",
  "noun.service": "Dienst",
  "host.malformed": "Der Host muss ein Hostname oder eine IP-Adresse ohne Port sein.",
  "host.server_name":
    "Der Servername muss ein Hostname ohne Port sein. Ein TLS-Handshake kann keine IP-Adresse anfragen.",
  "url.spaces": "Die URL darf keine Leer- oder Steuerzeichen enthalten.",
  "url.scheme": "Die URL muss mit http:// oder https:// beginnen.",
  "url.malformed": "Das ist keine gültige Adresse.",
  "url.credentials":
    "Lassen Sie Benutzernamen und Passwort aus der URL weg. In den Einstellungen gibt es dafür die „Authentifizierung“; dort werden sie verschlüsselt gespeichert.",
  "url.no_query":
    "Die URL darf keine Abfrage (?) und kein Fragment (#) enthalten, denn an sie werden Pfade angehängt.",
  "url.no_credentials": "Die URL darf keinen Benutzernamen und kein Passwort enthalten.",
  "url.long": "Die URL darf höchstens {limit} Zeichen haben.",
  "url.no_host": "In der URL fehlt der Host.",
  "url.empty_label": "Im Hostnamen der URL steht nichts zwischen zwei Punkten.",
  "url.long_host": "Der Hostname der URL darf höchstens {limit} Zeichen haben.",
  "url.long_label": "Kein Teil des Hostnamens darf länger als {limit} Zeichen sein.",
  "url.port": "Port 0 ist in URLs nicht zulässig.",
  "page.unreadable": "Die Seite konnte nicht gelesen werden.{ because}",
  "registrable.malformed": "Bitte einen Domainnamen wie example.com eingeben.",
  "registrable.port": "Der Port muss zwischen 1 und 65535 liegen.",
  "registrable.unknown": "Ob {domain} frei ist, lässt sich nicht sagen.{ because}",

  "interval.plan": "Im Tarif {plan} mindestens {limit} Sekunden.",
  "interval.timeout":
    "Das Zeitlimit ({timeout} Sekunden) muss kürzer sein als das Prüfintervall ({interval} Sekunden).",
  "interval.recheck":
    "Die Wartezeit bis zur Nachprüfung ({delay} Sekunden) darf nicht länger sein als das Prüfintervall ({interval} Sekunden).",
  "interval.passive": "Diese Art der Prüfung fragt nichts ab und hat kein Zeitlimit. Lassen Sie es weg.",
  "check.passive":
    "Hier gibt es nichts zu prüfen: Der Status ergibt sich aus dem, was gemeldet wird, oder aus den Mitgliedern einer Gruppe.",
  "check.paused": "Die Überwachung ist pausiert. Setzen Sie sie vor der Prüfung fort.",
  "check.nowhere": "An den Standorten läuft keine Sonde. Starten Sie eine und versuchen Sie es noch einmal.",
  "check.late":
    "Es kam nicht rechtzeitig ein Ergebnis. Endet die Prüfung noch, wird ihr Ergebnis gespeichert.",
  "member.unknown": "Es gibt keine Domain und keinen Dienst {uuid}.",
  "member.cycle": "„{name}“ führt zu dieser Gruppe zurück, und eine Gruppe kann sich nicht selbst enthalten.",
  "member.itself": "Eine Gruppe kann sich nicht selbst enthalten.",
  "member.deep": "Gruppen lassen sich höchstens {limit} Ebenen tief schachteln.",
  "member.count": "Höchstens {limit}: So viele Mitglieder hat die Gruppe.",
  "location.unknown": "Es gibt keinen Standort {unknown}. Bekannte Standorte: {known}.",
  "location.none": "Es gibt keinen Standort {unknown}. Noch ist keiner bekannt.",
  "location.one": "Der Tarif {plan} prüft nur von einem Standort aus.",
  "location.many": "Der Tarif {plan} prüft von höchstens {limit} Standorten aus.",

  "stored.changed":
    "Der gespeicherte Wert gilt nur mit den Einstellungen, mit denen er gespeichert wurde. Geben Sie ihn erneut ein.",
  "stored.auth":
    "{danger:word} Geben Sie die Zugangsdaten erneut ein oder wählen Sie bei „Authentifizierung“ „Keine“.",
  "stored.headers": "{danger:word} Geben Sie die Header erneut ein oder entfernen Sie sie.",
  "stored.header": "{danger:word} Geben Sie den Wert von {name} erneut ein.",
  "danger.address":
    "Gespeicherte Zugangsdaten werden nicht an ein anderes Schema, einen anderen Host, Port oder Servernamen gesendet.",
  "danger.certificate":
    "Ohne diese TLS-Prüfung könnten andere die gespeicherten Zugangsdaten unterwegs mitlesen.",
  "header.twice": "Der Header {name} ist doppelt angegeben.",
  "header.no_stored_value": "Für den Header {name} ist kein Wert gespeichert.",
  "auth.header":
    "Bei dieser Art der Authentifizierung darf unter den Anfrage-Headern kein „Authorization“ sein.",
  "auth.typeless": "Wählen Sie bei „Authentifizierung“, wofür diese Zugangsdaten sind.",
  "auth.required": "Diese Art der Authentifizierung braucht das.",
  "auth.colon": "Der Benutzername darf keinen Doppelpunkt enthalten (RFC 7617).",
  "expectation.limit": "Geben Sie mindestens eine der beiden Grenzen an.",
  "expectation.value": "Bitte einen Wert für den Vergleich eingeben.",
  "expectation.number": "Bitte eine Zahl für den Vergleich eingeben.",
  "expectation.never": "Keine Antwort kann diese Bedingung erfüllen: {never:word}.",
  "never.codes": "Sie enthält keinen Statuscode oder keinen, den auch die vorherigen Bedingungen zulassen",
  "never.body": "Die Antwort auf eine HEAD-Anfrage hat keinen Inhalt",
  "never.space":
    "Header-Werte und Inhalte, die so verglichen werden, beginnen und enden nie mit einem Leerzeichen",
  "never.root": "$ ist der Inhalt selbst, und den gibt es immer",
  "never.length": "Eine Länge ist eine ganze Zahl und nie kleiner als 0",
  "never.absent": "Eine andere Bedingung verlangt das Gegenteil",
};
