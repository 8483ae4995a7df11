import { type MessageDescriptor, readStoredMessage } from "../../platform/i18n/message.ts";
import type { Status } from "../../platform/monitor-defaults.ts";
import type { LocationState, MonitorState, Vote } from "./state.ts";

/**
 * The rules' state as it is stored with every result: arrays without names, a third of the size of
 * the plain JSON. The first element is the form's version.
 */
const VERSION = 1;
const STATUSES: readonly Status[] = ["unknown", "up", "degraded", "down"];
const VOTES: readonly Vote[] = ["ok", "suspect", "failing", "recovering", "stale"];
const CONFIRMED = [null, "ok", "failing"] as const;
const MAINTENANCE = 1;
const DEGRADATION_NOTIFIED = 2;
const STOP_NOTIFIED = 4;
const CRITICAL_NOTIFIED = 8;

type Pair = [number, number];
/** The last one: 1 of critical health alone, 2 of a device that has been offline as well. */
type EncodedOutage = [startedAt: number, detectedAt: number, health?: number];
const HEALTH = [undefined, "only", "also"] as const;
type EncodedLocation = [
  code: string,
  vote: number,
  confirmed: number,
  failures: number,
  successes: number,
  slows: number,
  lastAt: number,
  runSince: number,
  recheckAt: number,
  reason?: MessageDescriptor | string,
];
type Encoded = [
  version: number,
  status: number,
  since: number,
  historyAt: number,
  watchedSince: number | null,
  flags: number,
  outage: EncodedOutage | 0,
  flapping: Pair | 0,
  recentTransitions: number[],
  locations: EncodedLocation[],
  targetRevision?: number,
  watchedRevision?: number,
  suppressed?: [by: number, until: number | null],
];

/** JSON text for `monitor_states.rules`. */
export function encodeState(state: MonitorState): string {
  const { outage, flapping } = state;
  const encoded: Encoded = [
    VERSION,
    STATUSES.indexOf(state.status),
    state.since,
    state.historyAt,
    state.watchedSince,
    (state.maintenance ? MAINTENANCE : 0) |
      (state.degradationNotified ? DEGRADATION_NOTIFIED : 0) |
      (state.stopNotified ? STOP_NOTIFIED : 0) |
      (state.criticalNotified ? CRITICAL_NOTIFIED : 0),
    encodeOutage(outage),
    flapping ? [flapping.since, flapping.unstableAt] : 0,
    state.recentTransitions,
    Object.entries(state.locations).map(encodeLocation),
  ];
  const { suppressed } = state;
  if (state.targetRevision > 0 || state.watchedRevision > 0 || suppressed) encoded.push(state.targetRevision);
  if (state.watchedRevision > 0 || suppressed) encoded.push(state.watchedRevision);
  if (suppressed) encoded.push([suppressed.by, suppressed.until]);
  return JSON.stringify(encoded);
}

function encodeOutage(outage: MonitorState["outage"]): EncodedOutage | 0 {
  if (!outage) return 0;
  const { startedAt, detectedAt, health } = outage;
  return health ? [startedAt, detectedAt, HEALTH.indexOf(health)] : [startedAt, detectedAt];
}

function decodeOutage(encoded: EncodedOutage | 0): MonitorState["outage"] {
  if (encoded === 0) return null;
  const [startedAt, detectedAt, kind = 0] = encoded;
  const health = HEALTH[kind];
  return { startedAt, detectedAt, ...(health && { health }) };
}

function encodeLocation([code, location]: [string, LocationState]): EncodedLocation {
  const encoded: EncodedLocation = [
    code,
    VOTES.indexOf(location.vote),
    CONFIRMED.indexOf(location.confirmed),
    location.failures,
    location.successes,
    location.slows,
    location.lastAt,
    location.runSince,
    location.recheckAt,
  ];
  if (location.reason !== null) encoded.push(location.reason);
  return encoded;
}

/** Reads what `encodeState` wrote, also where a reason was still a sentence. Throws on a version that this program does not know. */
export function decodeState(text: string): MonitorState {
  const encoded: Encoded = JSON.parse(text);
  if (encoded[0] !== VERSION) throw new Error(`Status state of version ${encoded[0]} is not known`);
  const [, status, since, historyAt, watchedSince, flags, outage, flapping, recentTransitions, locations] =
    encoded;
  const [targetRevision, watchedRevision, held] = [encoded[10] ?? 0, encoded[11] ?? 0, encoded[12]];
  return {
    status: STATUSES[status] ?? "unknown",
    since,
    historyAt,
    targetRevision,
    watchedSince,
    watchedRevision,
    locations: Object.fromEntries(locations.map(decodeLocation)),
    outage: decodeOutage(outage),
    recentTransitions,
    flapping: flapping ? { since: flapping[0], unstableAt: flapping[1] } : null,
    maintenance: (flags & MAINTENANCE) !== 0,
    degradationNotified: (flags & DEGRADATION_NOTIFIED) !== 0,
    stopNotified: (flags & STOP_NOTIFIED) !== 0,
    criticalNotified: (flags & CRITICAL_NOTIFIED) !== 0,
    suppressed: held ? { by: held[0], until: held[1] } : null,
  };
}

function decodeLocation(encoded: EncodedLocation): [string, LocationState] {
  const [code, vote, confirmed, failures, successes, slows, lastAt, runSince, recheckAt, reason] = encoded;
  const location: LocationState = {
    vote: VOTES[vote] ?? "stale",
    confirmed: CONFIRMED[confirmed] ?? null,
    failures,
    successes,
    slows,
    lastAt,
    runSince,
    recheckAt,
    reason: readStoredMessage(reason),
  };
  return [code, location];
}
