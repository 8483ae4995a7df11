import type { devices as english } from "./en.ts";

export const devices: Record<keyof typeof english, string> = {
  "health.cpu":
    "Der Prozessor ist seit fünf Minuten zu {percent} % ausgelastet; ab {limit} % ist das {level:word}.",
  "health.memory": "{percent} % des Arbeitsspeichers sind belegt; ab {limit} % ist das {level:word}.",
  "health.disk": "Die Platte {path} ist zu {percent} % voll; ab {limit} % ist das {level:word}.",
  "health.more": "{problems:count}",
  "problems.one": "Es gibt {problems} weiteres Problem.",
  "problems.other": "Es gibt {problems} weitere Probleme.",
  "level.warning": "eine Warnung",
  "level.critical": "kritisch",
  "timeout.agent": "Der Agent hat sich seit {silence:duration} nicht gemeldet.",
  "timeout.agent_silent": "Der Agent hat sich seit {last:time} nicht gemeldet.",
  "device.rival":
    "Ein anderer Agent meldet sich mit diesem Token, von einem anderen Rechner oder einer Kopie von diesem. Jedes Gerät braucht ein eigenes Token.",
  "device.thresholds": "Die kritische Schwelle darf nicht unter der Warnschwelle von {warning} % liegen.",
  "link.kind": "{name} ist ein Gerät; mit einem Gerät können nur Domains und Dienste verknüpft werden.",
};
