import type { Metrics } from "../report.ts";
import { readText } from "./read-file.ts";

/** Bytes by name, as /proc/meminfo says them. */
export function readMemory(proc: string): ReadonlyMap<string, number> {
  const lines = (readText(`${proc}/meminfo`) ?? "").matchAll(/^(\w+):\s+(\d+) kB$/gm);
  return new Map(Array.from(lines, ([, name = "", size]) => [name, Number(size) * 1024]));
}

/** Memory and swap in use. What the kernel would give back at once (`MemAvailable`) is not in use. */
export function memoryMetrics(memory: ReadonlyMap<string, number>): Metrics {
  const metrics: Metrics = {};
  const total = memory.get("MemTotal");
  // Kernels before 3.14 do not say what is available.
  const available = memory.get("MemAvailable") ?? (memory.get("MemFree") ?? 0) + (memory.get("Cached") ?? 0);
  if (total) {
    metrics["memory.used"] = total - available;
    metrics["memory.available"] = available;
    metrics["memory.usage"] = (100 * (total - available)) / total;
  }
  const swap = memory.get("SwapTotal");
  if (swap) {
    const used = swap - (memory.get("SwapFree") ?? 0);
    metrics["memory.swap.used"] = used;
    metrics["memory.swap.usage"] = (100 * used) / swap;
  }
  return metrics;
}
