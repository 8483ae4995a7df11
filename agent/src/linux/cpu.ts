import type { Metrics } from "../report.ts";
import { readText } from "./read-file.ts";

interface Times {
  busy: number;
  total: number;
}

/** Use of all processors and of each, in percent since the previous call, and the load, from /proc/stat and /proc/loadavg. */
export class CpuUse {
  readonly #proc: string;
  #previous = new Map<string, Times>();

  constructor(proc: string) {
    this.#proc = proc;
  }

  read(): Metrics {
    const metrics: Metrics = {};
    const current = timesIn(readText(`${this.#proc}/stat`) ?? "");
    for (const [name, times] of current) {
      const before = this.#previous.get(name);
      const total = times.total - (before?.total ?? times.total);
      if (!before || total <= 0) continue;
      const percent = (100 * Math.max(0, times.busy - before.busy)) / total;
      metrics[name === "cpu" ? "cpu.usage" : `cpu.core${name.slice(3)}.usage`] = Math.min(100, percent);
    }
    this.#previous = current;
    const [one, five, fifteen] = (readText(`${this.#proc}/loadavg`) ?? "").split(" ").map(Number);
    if (one !== undefined && five !== undefined && fifteen !== undefined) {
      Object.assign(metrics, { "cpu.load1": one, "cpu.load5": five, "cpu.load15": fifteen });
    }
    return metrics;
  }
}

/** Lines such as `cpu0 user nice system idle iowait irq softirq steal guest guest_nice`; guests are counted in user already. */
function timesIn(text: string): Map<string, Times> {
  const found = new Map<string, Times>();
  for (const line of text.split("\n")) {
    if (!line.startsWith("cpu")) break;
    const [name = "", ...fields] = line.split(/ +/);
    const numbers = fields.slice(0, 8).map(Number);
    const total = numbers.reduce((sum, ticks) => sum + ticks, 0);
    found.set(name, { total, busy: total - (numbers[3] ?? 0) - (numbers[4] ?? 0) });
  }
  return found;
}
