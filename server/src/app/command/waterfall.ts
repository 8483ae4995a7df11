import pc from "picocolors";
import type { CheckOutcome, Phase } from "../../checks/check.ts";
import { inEnglish } from "../../platform/i18n/english.ts";

export interface WaterfallOptions {
  /** What a check of this kind measures, in the order of the bars. */
  phases: readonly Phase[];
  /** Whether the terminal shows colours. */
  colour: boolean;
  /** Columns to stay within; 40…200. */
  width: number;
  /** Milliseconds since 1970, for the days left of a certificate; default: the present. */
  now?: number;
}

interface Bar {
  label: string;
  startUs: number;
  lengthUs: number;
  paint(text: string): string;
}

const DAY_MS = 86_400_000;
const LABEL_COLUMNS = 11;
const TIME_COLUMNS = 12;

/** A check as curl users know it: phases as bars on one axis of time, then what was seen, then the verdict. */
export function renderWaterfall(url: string, outcome: CheckOutcome, options: WaterfallOptions): string {
  const width = Math.min(Math.max(Math.trunc(options.width), 40), 200);
  const paint = pc.createColors(options.colour);
  const lines = [
    paint.bold(clip(url, width)),
    "",
    ...barLines(barsOf(outcome, options.phases, paint), outcome.phases.totalUs ?? 0, width),
    "",
    ...detailLines(outcome, options.now ?? Date.now()).map(
      ([label, text]) => `${paint.dim(label.padEnd(LABEL_COLUMNS))} ${clip(text, width - LABEL_COLUMNS - 1)}`,
    ),
    "",
    ...wrap(verdictSentence(outcome), width).map((line) => verdictPaint(outcome, paint)(line)),
  ];
  return `${lines.join("\n")}\n`;
}

type Paint = ReturnType<typeof pc.createColors>;

const BARS = {
  dns: { label: "DNS", colour: "cyan" },
  connect: { label: "Connect", colour: "yellow" },
  tls: { label: "TLS", colour: "magenta" },
  firstByte: { label: "First byte", colour: "green" },
  transfer: { label: "Transfer", colour: "blue" },
} as const satisfies Record<Phase, { label: string; colour: keyof Paint }>;

function barsOf({ phases: times }: CheckOutcome, phases: readonly Phase[], paint: Paint): Bar[] {
  let startUs = 0;
  const bars: Bar[] = [];
  for (const phase of phases) {
    const lengthUs = times[`${phase}Us`];
    if (lengthUs === null) continue;
    const { label, colour } = BARS[phase];
    bars.push({ label, startUs, lengthUs, paint: paint[colour] });
    startUs += lengthUs;
  }
  const restUs = (times.totalUs ?? 0) - startUs;
  // What remains is the time between the phases, or the waiting that ended in a failure.
  if (restUs > 0) bars.push({ label: "Rest", startUs, lengthUs: restUs, paint: paint.dim });
  return bars;
}

function barLines(bars: readonly Bar[], totalUs: number, width: number): string[] {
  const columns = width - LABEL_COLUMNS - TIME_COLUMNS - 2;
  const column = (us: number) => (totalUs > 0 ? Math.round((us / totalUs) * columns) : 0);
  const lines = bars.map(({ label, startUs, lengthUs, paint }) => {
    const from = Math.min(column(startUs), columns - 1);
    const length = Math.max(1, Math.min(column(startUs + lengthUs), columns) - from);
    const bar = " ".repeat(from) + paint("█".repeat(length)) + " ".repeat(columns - from - length);
    return `${label.padEnd(LABEL_COLUMNS)} ${bar} ${milliseconds(lengthUs)}`;
  });
  return [...lines, `${"Total".padEnd(LABEL_COLUMNS)} ${" ".repeat(columns)} ${milliseconds(totalUs)}`];
}

const milliseconds = (us: number) => `${(us / 1000).toFixed(1)} ms`.padStart(TIME_COLUMNS);

function detailLines(outcome: CheckOutcome, now: number): [string, string][] {
  const details: [string, string][] = [];
  for (const { statusCode, url } of outcome.redirects ?? [])
    details.push(["Redirect", `${statusCode} to ${url}`]);
  if (outcome.address !== null) details.push(["Address", outcome.address]);
  if (outcome.protocol !== null) details.push(["Protocol", outcome.protocol]);
  if (outcome.statusCode !== null) details.push(["Status", String(outcome.statusCode)]);
  if (outcome.certificate !== null) {
    const { issuer, expiresAt, endsWith, host, chain } = outcome.certificate;
    details.push(["Certificate", `${daysLeft(expiresAt, now)}, issued by ${issuer || "an unknown issuer"}`]);
    if (endsWith) details.push(["Expires first", endsWith.name]);
    if (host !== undefined) details.push(["Of host", host]);
    for (const { subject, isUnused } of chain) if (isUnused) details.push(["Not needed", subject]);
  }
  if (outcome.message !== undefined) details.push(["Note", inEnglish(outcome.message)]);
  return details;
}

function daysLeft(expiresAt: number | null, now: number): string {
  if (expiresAt === null) return "unreadable";
  const days = Math.floor((expiresAt - now) / DAY_MS);
  const date = new Date(expiresAt).toISOString().slice(0, 10);
  return days < 0 ? `expired on ${date}` : `${days} ${days === 1 ? "day" : "days"} left (until ${date})`;
}

function verdictSentence({ verdict, reason }: CheckOutcome): string {
  if (verdict === "ok") return "Up.";
  return `${verdict === "degraded" ? "Degraded" : "Down"}: ${reason === null ? "no reason is known." : inEnglish(reason)}`;
}

const verdictPaint = ({ verdict }: CheckOutcome, paint: Paint) =>
  verdict === "ok" ? paint.green : verdict === "degraded" ? paint.yellow : paint.red;

const clip = (text: string, columns: number) =>
  text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (joined.length <= columns) line = joined;
    else {
      if (line !== "") lines.push(line);
      line = clip(word, columns);
    }
  }
  return [...lines, line];
}
