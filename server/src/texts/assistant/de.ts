import type { assistant as english } from "./en.ts";

export const assistant: Record<keyof typeof english, string> = {
  "model.key":
    "Der Endpunkt des Assistenten hat den Schlüssel dieser Installation abgelehnt. Wer sie betreibt, muss VEDETTE_ASSISTANT_KEY prüfen.",
  "model.model":
    "Der Endpunkt des Assistenten kennt das Modell nicht, oder die Adresse ist falsch. Wer diese Installation betreibt, muss VEDETTE_ASSISTANT_MODEL und VEDETTE_ASSISTANT_URL prüfen.",
  "model.rejected":
    "Der Endpunkt des Assistenten hat die Frage nicht angenommen. Vielleicht ist die Unterhaltung zu lang für das Modell, oder das Modell kann keine Werkzeuge aufrufen.",
  "model.busy":
    "Der Endpunkt des Assistenten nimmt im Moment keine weiteren Anfragen an. Versuchen Sie es später noch einmal.",
  "model.failed":
    "Beim Endpunkt des Assistenten ist ein Fehler aufgetreten. Versuchen Sie es später noch einmal.",
  "model.unreached": "Der Endpunkt des Assistenten ist nicht erreichbar.",
  "model.cut": "Die Verbindung zum Endpunkt des Assistenten brach ab, bevor die Antwort vollständig war.",
  "model.garbled":
    "Die Antwort vom Endpunkt des Assistenten war nicht lesbar. Wer diese Installation betreibt, muss VEDETTE_ASSISTANT_URL prüfen.",
  "model.slow": "Der Endpunkt des Assistenten hat zu lange nicht geantwortet.",
  "model.long": "Die Antwort des Assistenten war zu lang.",
  "assistant.not_configured": "Auf dieser Installation ist kein Assistent eingerichtet.",
  "assistant.answering": "In dieser Unterhaltung wird gerade schon eine Antwort geschrieben.",
  "assistant.too_many_answers": "Für Sie können höchstens {limit} Antworten gleichzeitig geschrieben werden.",
  "assistant.nothing_to_say":
    "Es gibt nichts fortzusetzen: Stellen Sie eine Frage oder entscheiden Sie zuerst.",
  "assistant.decided": "Darüber wurde schon entschieden, oder die Frist ist abgelaufen.",
  "assistant.ended": "Ihr Zugang wurde inzwischen beendet.",
  "assistant.stopped": "Angehalten.",
  "assistant.at_limit": "Nach {limit} Schritten angehalten. Fragen Sie noch einmal, um fortzufahren.",
  "assistant.cut_short": "Hier wurde die Antwort abgeschnitten.",
  "assistant.refused": "Das Modell wollte darauf nicht antworten.",
  "assistant.nothing_said": "Das Modell hat nichts gesagt.",
  "assistant.would_do": "Das würde ich gern tun, wenn Sie zustimmen.",
  "assistant.agreed": "Zugestimmt: {what}",
  "assistant.not_agreed": "Abgelehnt: {what}",
};
