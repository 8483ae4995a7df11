import { createRequire } from "node:module";
import type * as badgeMaker from "badge-maker";
import { excerpt } from "../../platform/i18n/message.ts";
import type { MeasuredStatus, Overall, PublicComponent, PublicPage } from "../document/public-page.ts";
import type { QueryParameters } from "./page-frame.ts";
import { isTooShort, measuredInWords, type View, type Words } from "./view.ts";

const load = createRequire(import.meta.url);
let drawing: typeof badgeMaker | undefined;

/** The library holds the widths of all characters, 4 MB: loaded for the first badge. */
const drawer = (): typeof badgeMaker => (drawing ??= load("badge-maker") as typeof badgeMaker);

const STYLES = ["flat", "flat-square", "plastic", "for-the-badge", "social"] as const;

/** Readable with white text. */
const COLORS: Readonly<Record<Overall | MeasuredStatus, string>> = {
  operational: "#2b7a3d",
  degraded: "#a15c07",
  partial_outage: "#b8430f",
  outage: "#b91c1c",
  major_outage: "#b91c1c",
  maintenance: "#1d5fb4",
  paused: "#5f6672",
  unknown: "#5f6672",
};

/** Minimum percentages of uptime and maximum milliseconds of response time. */
const UPTIME_COLORS = [
  [99.9, COLORS.operational],
  [99, COLORS.degraded],
  [95, COLORS.partial_outage],
] as const;

interface Badge {
  label: string;
  message: string;
  color: string;
}

/** Null: no such component. */
type BadgeOf = (page: PublicPage, component: PublicComponent | null, words: Words) => Badge;

const statusBadge: BadgeOf = (page, component, words) => {
  const status = component?.status ?? page.overall;
  const message = words.say(component ? `status.${component.status}` : `overall.${page.overall}`);
  return { label: (component ?? page).name, message, color: COLORS[status] };
};

const uptimeBadge: BadgeOf = (page, component, words) => {
  const now = page.updatedAt;
  const known = shown(page, component).filter(({ uptime }) => uptime !== null);
  const long = known.filter((one) => !isTooShort(one, now));
  const label = words.say("badge.uptime");
  const since = sinceAll(long.length > 0 ? long : known);
  if (long.length === 0) {
    const { message, color } = unknownBadge(label, words);
    return { label, message: since === null ? message : measuredInWords(since, words, now), color };
  }
  const uptime = long.reduce((sum, one) => sum + (one.uptime ?? 0), 0) / long.length;
  // Rounded down: 100 % means up all the time.
  const rounded = Math.floor(uptime * 100 + 1e-6) / 100;
  const color = UPTIME_COLORS.find(([least]) => rounded >= least)?.[1] ?? COLORS.outage;
  const percent = words.percent(rounded);
  if (since === null) return { label, message: percent, color };
  const message = words.say("badge.since", { percent, since: words.day(words.dateOf(since)) });
  return { label, message, color };
};

/** Null: one was measured all the time. */
function sinceAll(components: readonly PublicComponent[]): number | null {
  const starts = components.flatMap(({ measuredSince }) => measuredSince ?? []);
  return starts.length < components.length || starts.length === 0 ? null : Math.min(...starts);
}

const responseBadge: BadgeOf = (page, component, words) => {
  const times = shown(page, component).flatMap(({ responseTimes }) => responseTimes ?? []);
  const known = times.flatMap(({ ms }) => (ms === null ? [] : [ms])).sort((a, b) => a - b);
  const label = words.say("badge.response");
  const median = known[Math.floor((known.length - 1) / 2)];
  if (median === undefined) return unknownBadge(label, words);
  const ms = Math.round(median);
  return { label, message: words.say("speed.now", { ms }), color: COLORS.maintenance };
};

const unknownBadge = (label: string, words: Words): Badge => ({
  label,
  message: words.say("status.unknown"),
  color: COLORS.unknown,
});

const shown = (page: PublicPage, component: PublicComponent | null): PublicComponent[] =>
  component ? [component] : page.groups.flatMap(({ components }) => components);

const BADGES = { status: statusBadge, uptime: uptimeBadge, response: responseBadge };

export const badges = Object.entries(BADGES).map(([name, badgeOf]) => ({
  name,
  /** The title says what it shows; null: no such component. */
  render({ page, words }: View, parameters: QueryParameters): string | null {
    const components = shown(page, null);
    const component = components.find(({ uuid }) => uuid === parameters.component) ?? null;
    if (parameters.component !== undefined && component === null) return null;
    const badge = badgeOf(page, component, words);
    const style = STYLES.find((one) => one === parameters.style) ?? "flat";
    return drawer().makeBadge({ ...badge, label: excerpt(parameters.label ?? badge.label), style });
  },
}));
