import type { heartbeats as english } from "./en.ts";

/** Why a job that tells how it is doing is down, and why its schedule is refused, in German; see en.ts. */
export const heartbeats: Readonly<Record<keyof typeof english, string>> = {
  "timeout.heartbeat":
    "Der Heartbeat blieb aus: Erwartet wird einer alle {interval:duration} (Karenzzeit: {grace:duration}).",
  "timeout.silent":
    "Kein Heartbeat seit {last:time}: Erwartet wird einer alle {interval:duration} (Karenzzeit: {grace:duration}).",
  "timeout.exit":
    "Der Job endete {last:time} mit dem Exit-Code {exit}; seitdem kein Heartbeat: Erwartet wird einer alle {interval:duration} (Karenzzeit: {grace:duration}).",
  "timeout.failed":
    "Der Job hat {last:time} gemeldet, dass er fehlgeschlagen ist; seitdem kein Heartbeat: Erwartet wird einer alle {interval:duration} (Karenzzeit: {grace:duration}).",
  "timeout.due":
    "Kein Heartbeat für den Lauf, der {due:time} fällig war, auch nicht in der Karenzzeit ({grace:duration}).",
  "timeout.overdue":
    "Kein Heartbeat für den Lauf, der {due:time} fällig war, auch nicht in der Karenzzeit ({grace:duration}). Der letzte kam {last:time}.",
  "timeout.exit_overdue":
    "Der Job endete {last:time} mit dem Exit-Code {exit}; seitdem kein Heartbeat: Ein Lauf war {due:time} fällig (Karenzzeit: {grace:duration}).",
  "timeout.failed_overdue":
    "Der Job hat {last:time} gemeldet, dass er fehlgeschlagen ist; seitdem kein Heartbeat: Ein Lauf war {due:time} fällig (Karenzzeit: {grace:duration}).",
  "timeout.run":
    "Der Lauf, der {start:time} begonnen hat, ist nicht zu Ende: Er darf {limit:duration} dauern.",
  "job.failed": "Der Job hat gemeldet, dass er fehlgeschlagen ist.",
  "job.exit": "Der Job endete mit dem Exit-Code {exit}.",
  "input.cron":
    "Der Zeitplan muss ein Cron-Ausdruck aus fünf Feldern sein (Minute, Stunde, Tag, Monat, Wochentag), etwa 0 3 * * *.",
  "input.cron_never": "Dieser Cron-Ausdruck trifft nie zu: Einen solchen Tag gibt es nicht.",
  "interval.cron":
    "Im Tarif {plan} höchstens ein Lauf alle {limit} Sekunden; dieser Cron-Ausdruck trifft alle {interval} Sekunden zu.",
};
