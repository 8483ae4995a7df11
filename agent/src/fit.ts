import {
  FROM_ZERO,
  MAX_ITEMS,
  MAX_METRICS,
  MAX_MOUNTS,
  MAX_PATH,
} from "../../server/src/monitors/schemas/agent-report.ts";
import type { Report } from "./report.ts";

/** The server refuses longer texts than these (monitors/schemas/agent-report.ts). */
const LONGEST: Readonly<Record<string, number>> = {
  command: 4_096,
  installPath: 1_024,
  image: 512,
  platform: 40,
  architecture: 40,
  status: 40,
  state: 40,
  id: 64,
  localAddress: 64,
  remoteAddress: 64,
};
const USUAL = 255;
/** The status of a container is a sentence. */
const LONG_STATUS: keyof Report = "containers";
const LONGEST_NAME = 200;

/** The report as the server takes it: a long name, or a long list, must not cost the rest of it. */
export function fit(report: Report): Report {
  const fitted: Record<string, unknown> = {};
  for (const [part, value] of Object.entries(report)) {
    if (part === "metrics") fitted[part] = fitMetrics(value as Record<string, number>);
    else if (Array.isArray(value))
      fitted[part] = [...new Set(value.map((path) => plain(path).slice(0, MAX_PATH)))].slice(0, MAX_MOUNTS);
    else if ("items" in value) {
      const { total, items } = value as { total: number; items: object[] };
      const most = MAX_ITEMS[part as keyof typeof MAX_ITEMS];
      fitted[part] = {
        total,
        items: items.slice(0, most).map((item) => fitTexts(item, part === LONG_STATUS)),
      };
    } else fitted[part] = fitTexts(value, false);
  }
  return fitted;
}

function fitTexts(item: object, hasLongStatus: boolean): object {
  const fields = Object.entries(item).map(([name, value]) => {
    if (typeof value !== "string") return [name, value];
    const longest = hasLongStatus && name === "status" ? USUAL : (LONGEST[name] ?? USUAL);
    return [name, value.length > longest ? value.slice(0, longest) : value];
  });
  return Object.fromEntries(fields);
}

const NEVER_NEGATIVE = new RegExp(FROM_ZERO);
/** Health is evaluated by these, or they are of the whole machine, so they come before those of each core, interface and block device. */
const JUDGING = /^(?:cpu\.[^.]+|network\.[^.]+|memory\..+|disk\.(?:\/|[A-Za-z]:).*\.usage)$/;

/** Two decimals are as exact as anything here; what is no number, or is below zero and cannot be, was not measured. */
function fitMetrics(metrics: Record<string, number>): Record<string, number> {
  const known = Object.entries(metrics)
    .map(([name, value]) => [shortName(name), value] as const)
    .filter(([name, value]) => Number.isFinite(value) && (value >= 0 || !NEVER_NEGATIVE.test(name)));
  const fitting = known.length <= MAX_METRICS ? known : judgingFirst(known).slice(0, MAX_METRICS);
  return Object.fromEntries(fitting.map(([name, value]) => [name, Math.round(value * 100) / 100]));
}

const judgingFirst = <Known extends readonly [name: string, value: number]>(
  known: readonly Known[],
): Known[] => [
  ...known.filter(([name]) => JUDGING.test(name)),
  ...known.filter(([name]) => !JUDGING.test(name)),
];

/** What it is of and what is measured stay; the name in between is the machine's, and may be anything. */
function shortName(name: string): string {
  const known = plain(name);
  if (known.length <= LONGEST_NAME) return known;
  const end = known.lastIndexOf(".");
  return `${known.slice(0, LONGEST_NAME - (known.length - end))}${known.slice(end)}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const plain = (text: string) => text.replace(/[\u0000-\u001f\u007f]/g, "?");
