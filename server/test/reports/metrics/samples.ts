import { execFileSync } from "node:child_process";

/** One line of the text format. */
export interface Sample {
  metric: string;
  labels: Record<string, string>;
  value: number;
}

/** prom-client has `Nan` where it has measured nothing yet; Prometheus takes it. */
const VALUE = /^(?:nan|[-+\d.e]+)$/i;
const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/s;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;
const UNESCAPED: Record<string, string> = { "\\n": "\n", '\\"': '"', "\\\\": "\\" };

/** Reads the text format strictly. Throws with the line that is not of it. */
export const samplesOf = (text: string): Sample[] =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, metric = "", inside = "", value = ""] = LINE.exec(line) ?? [];
      const found = [...inside.matchAll(LABEL)];
      const read = found.map(([all]) => all).join("");
      if (metric === "" || read !== inside || !VALUE.test(value)) throw new Error(line);
      const labels = found.map(([, name = "", raw = ""]) => [
        name,
        raw.replaceAll(/\\["\\n]/g, (escaped) => UNESCAPED[escaped] as string),
      ]);
      return { metric, labels: Object.fromEntries(labels) as Sample["labels"], value: Number(value) };
    });

/** What Prometheus' own tool has against it; nothing where it is in order. */
export function promtoolSays(text: string): string {
  try {
    execFileSync("promtool", ["check", "metrics"], { input: text, stdio: "pipe" });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
    return `${stdout ?? ""}${stderr ?? error}`;
  }
}
