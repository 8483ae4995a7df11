/** What a sample is of: names of labels to their values. */
export type Labels = Readonly<Record<string, string | number>>;

/** One value of a gauge, with what stands between the braces (`labelText`). */
export interface Sample {
  labels: string;
  value: number;
}

/** How many lines are made at once. */
const LINES = 500;

/**
 * A gauge with all its samples, in Prometheus' text exposition format 0.0.4, some hundred lines at a time: nobody waits while
 * those of ten thousand monitors are written. Nothing where it has no sample.
 */
export function* gaugeText(name: string, help: string, samples: Iterable<Sample>): Generator<string> {
  let lines = [`# HELP ${name} ${help}\n# TYPE ${name} gauge\n`];
  let count = 0;
  for (const { labels, value } of samples) {
    lines.push(`${name}{${labels}} ${value}\n`);
    count += 1;
    if (count % LINES > 0) continue;
    yield lines.join("");
    lines = [];
  }
  if (count % LINES > 0) yield lines.join("");
}

/** Labels as they stand between braces. People and monitored machines choose the values: they are escaped. */
export const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join();

/** A NUL would end Prometheus' reading, and half a surrogate pair is no UTF-8. */
const escape = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("\0", "\ufffd")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");
