import type { integrations as english } from "./en.ts";

export const integrations: Record<keyof typeof english, string> = {
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
  "by.somebody": " durch {author}",
  "by.nobody": "",
  "deployment.ahead": "{field} darf nicht in der Zukunft liegen.",
  "deployment.length": "{field} muss nach {other} liegen, höchstens einen Tag.",
  "deployment.signature": "Die Signatur stimmt nicht. Prüfen Sie, ob beide Seiten dasselbe Geheimnis haben.",
  "deployment.no_key":
    "Ein Geheimnis, das mit whsec_ beginnt, ist der Schlüssel einer Signatur: Danach müssen mindestens 8 Bytes in Base64 stehen.",
  "deployment.many_webhooks": "Eine Organisation kann {limit} Deployment-Webhooks haben.",
};
