/** The statuses of a list; `flapping`, `paused`, `waiting` and `confirming` are added to the API's own states. */
export type ShownStatus =
  | "up"
  | "down"
  | "degraded"
  | "flapping"
  | "unknown"
  | "waiting"
  | "confirming"
  | "paused";

const fills: Record<ShownStatus, string> = {
  up: "bg-up",
  down: "bg-down",
  degraded: "bg-warn",
  flapping: "bg-warn",
  unknown: "bg-idle",
  waiting: "bg-idle breathing",
  confirming: "bg-idle breathing",
  paused: "border-[1.5px] border-idle",
};

const halos: Partial<Record<ShownStatus, string>> = {
  down: "ring-4 ring-down-soft",
  degraded: "ring-4 ring-warn-soft",
  flapping: "ring-4 ring-warn-soft",
};

/** A coloured dot. Colour is never the only sign: the status is always written beside it. */
export function StatusDot({
  status,
  plain = false,
  className = "",
}: {
  status: ShownStatus;
  /** Without the halo that draws the eye to what is wrong. */
  plain?: boolean;
  className?: string;
}) {
  return (
    <span
      aria-hidden
      className={`inline-block size-2 shrink-0 rounded-full transition-colors duration-300 in-data-away:bg-idle in-data-away:ring-0 ${fills[status]} ${plain ? "" : (halos[status] ?? "")} ${className}`}
    />
  );
}

/** The colour of words about a status. */
export const statusInk: Record<ShownStatus, string> = {
  up: "text-ink-muted",
  down: "text-down-ink",
  degraded: "text-warn-ink",
  flapping: "text-warn-ink",
  unknown: "text-ink-muted",
  waiting: "text-ink-faint",
  confirming: "text-ink-faint",
  paused: "text-ink-faint",
};
