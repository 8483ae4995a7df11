import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { rankOfSeverity, type Severity } from "../platform/monitor-defaults.ts";

/**
 * Possible common causes, the most specific first. A host or an address can fail by itself, a location's network takes down
 * everything that is checked from there.
 */
export const CAUSE_KINDS = ["parent", "host", "address", "network"] as const;
export interface Cause {
  kind: (typeof CAUSE_KINDS)[number];
  /** Which one, as people know it. */
  value: string;
  /** Of a parent: several may have a name. */
  id?: number;
  /** Of a host or an address: how it fails. Behind one of a proxy many sites fail for reasons of their own. */
  failure?: string;
}

/** When a device was offline in its outage, milliseconds; the last time may go on. Null: it was not. */
export type OfflineTimes = readonly (readonly [from: number, to: number | null])[] | null;

/** Outages that began further apart have nothing to do with each other. */
export const GROUP_WINDOW_MS = 60_000;
/** A group of monitors goes down once a member's outage is confirmed, which takes as long as its checks are apart. */
export const FOLLOW_WINDOW_MS = 15 * 60_000;

/** An incident that others may join. Milliseconds. */
export interface Group {
  startedAt: number;
  /** Of the outage that opened it. */
  causes: readonly Cause[];
  /** What its members have in common; null while it has one. */
  by: Cause | null;
  /** It is being worked on: what follows is a problem of its own. Absent: it is not. */
  isAcknowledged?: boolean;
  severity?: Severity;
  /** Monitors that are down in it now. */
  downIds?: readonly number[];
}

/** An outage that has just been confirmed. */
export interface Joining {
  organizationId: number;
  startedAt: number;
  causes: readonly Cause[];
  monitorId?: number;
  /** It is down because others are, whenever these went down. */
  follows?: boolean;
  /** Since when it is watched: what a member had been down for by then is why it is down, however long ago that began. */
  watchedSince?: number;
  severity?: Severity;
}

/** Whether others depend on it that may have failed with it: then it is the cause. */
const isParent = ({ monitorId, causes }: Pick<Joining, "monitorId" | "causes">): boolean =>
  causes.some(({ kind, id }) => kind === "parent" && id === monitorId);

/** What becomes of an outage: it opens a group of its own, or joins one that is open or that one before it opens. */
export interface Placed<G, J> {
  outage: J;
  /** Null: it opens one. */
  group: G | Placed<G, J> | null;
  by: Cause | null;
}

/**
 * Which outages share an incident: those that began within a minute of the one that opened it and have a cause in common. A
 * group joins one of a member that began shortly before and is not acknowledged (ofLastMember), or before the group was
 * watched. Of outages placed together, dependencies come first. Once a group has a second member it is about that cause only.
 */
export function placeOutages<G extends Group & { organizationId: number }, J extends Joining>(
  open: readonly G[],
  outages: readonly J[],
): Placed<G, J>[] {
  const groups: (Group & { organizationId: number; is: G | Placed<G, J> })[] = open.map((is) => ({
    ...is,
    is,
  }));
  return outages
    .toSorted((a, b) => Number(isParent(b)) - Number(isParent(a)) || a.startedAt - b.startedAt)
    .map((outage) => {
      const placed: Placed<G, J> = { outage, group: null, by: null };
      const shares = groups
        .filter(({ organizationId, startedAt, isAcknowledged }) => {
          if (organizationId !== outage.organizationId) return false;
          const isRecent =
            outage.follows && !isAcknowledged && apart(startedAt, outage.startedAt) <= FOLLOW_WINDOW_MS;
          const wasBefore = outage.follows && startedAt <= (outage.watchedSince ?? -Infinity);
          return isRecent || wasBefore || apart(startedAt, outage.startedAt) <= GROUP_WINDOW_MS;
        })
        .flatMap((group) => {
          const shared = sharedCause(group, outage);
          return shared ? [{ group, shared }] : [];
        });
      const found = outage.follows ? ofLastMember(shares) : mostTelling(shares);
      if (!found) {
        const { organizationId, startedAt, causes, severity } = outage;
        groups.push({ organizationId, startedAt, causes, severity, by: null, is: placed });
        return placed;
      }
      found.group.by = found.shared;
      return { ...placed, group: found.group.is, by: found.shared };
    });
}

/** A group that an outage could join, and what they share. */
interface Shared {
  group: Group;
  shared: Cause;
}

const mostTelling = <S extends Shared>(shares: readonly S[]): S | undefined =>
  shares.toSorted((a, b) => rankOf(a.shared) - rankOf(b.shared))[0];

/**
 * Which member's incident a group of monitors joins: the last to go down took it down. Where several went down together, none did so alone:
 * then that of the most severe, and of these the first.
 */
function ofLastMember<S extends Shared>(shares: readonly S[]): S | undefined {
  const newest = Math.max(...shares.map(({ group }) => group.startedAt));
  return shares
    .filter(({ group }) => newest - group.startedAt <= GROUP_WINDOW_MS)
    .toSorted(
      ({ group: one }, { group: other }) =>
        severityOf(other) - severityOf(one) || one.startedAt - other.startedAt,
    )[0];
}

const severityOf = ({ severity }: Group): number => (severity ? rankOfSeverity(severity) : -1);

const apart = (a: number, b: number): number => Math.abs(a - b);
const rankOf = ({ kind }: Cause) => CAUSE_KINDS.indexOf(kind);

function sharedCause(
  { causes: known, by, downIds }: Group,
  { causes: others, follows = false }: Joining,
): Cause | null {
  const isOne = (a: Cause) => (b: Cause) =>
    a.kind === b.kind && a.value === b.value && a.id === b.id && a.failure === b.failure;
  // A group may have been made after its member went down: then that did not know of anything that depends on it.
  const members = follows ? others.filter(({ id }) => id !== undefined && downIds?.includes(id)) : [];
  const causes = [...known, ...members];
  // What follows the one that opened it is down for whatever that is down for.
  if (by)
    return others.some(isOne(by)) || (follows && causes.some((one) => others.some(isOne(one)))) ? by : null;
  const shared = causes.filter((one) => others.some(isOne(one)));
  return shared.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? null;
}

/** What is known of an outage that may point to its cause. */
export interface Clues {
  /** As its kind of check names what is checked. */
  target: string;
  /** Where the last check connected to. */
  address: string | null;
  reason: MessageDescriptor | null;
  /** Codes of the locations at which it fails. */
  failingAt: readonly string[];
}

/** What may be the cause of an outage, the most telling first. */
export function causesOf({ target, address, reason, failingAt }: Clues): Cause[] {
  const host = hostIn(target);
  const isAddress = host !== null && /^[\d.]+$|:/.test(host);
  const failure = failureOf(reason);
  const causes: Cause[] =
    host !== null && !isAddress && host !== "localhost" ? [{ kind: "host", value: host, ...failure }] : [];
  for (const one of new Set([isAddress ? host : null, address])) {
    if (one !== null && !isLoopback(one)) causes.push({ kind: "address", value: one, ...failure });
  }
  const [location, ...more] = failingAt;
  if (location !== undefined && more.length === 0 && reason && isOfNetwork(reason)) {
    causes.push({ kind: "network", value: location });
  }
  return causes;
}

/** How something fails: refused, no route, no answer in time, a certificate, an HTTP status by its first digit… */
function failureOf(reason: MessageDescriptor | null): { failure?: string } {
  const own = reason?.code === "watch.location" ? (reason.because ?? reason) : reason;
  if (!own) return {};
  const [family = ""] = own.code.split(".");
  const status = /^status\b/.test(own.code) ? String(own.params?.["status"] ?? "").slice(0, 1) : "";
  return { failure: family === "tls" ? "certificate" : family + status };
}

/** Each location has a loopback of its own, and everything behind a proxy is there. */
const isLoopback = (address: string) => /^127\.|^::1$|^::ffff:127\./.test(address);

/** There was no way to the target, or to the name servers: the target itself has said nothing. */
const isOfNetwork = ({ code }: MessageDescriptor) =>
  code.startsWith("unreachable.") ||
  ["dns.silent", "dns.servfail", "dns.unresolved", "timeout.dns"].includes(code);

function hostIn(target: string): string | null {
  const [first = ""] = target.split(" ");
  const url = URL.parse(first.includes("://") ? first : `any://${first}`);
  return url === null || url.hostname === "" ? null : url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

/** Of an incident: the monitor that leads it, and what else is in it. */
export interface Grouped {
  leadId: number | null;
  /** The names of the others. */
  others: readonly string[];
}

/** Why its members share an incident. The monitor that leads it is a common parent as soon as that is down, too. */
export function messageOfCause({ kind, value, id }: Cause, { leadId, others }: Grouped): MessageDescriptor {
  const [other, ...more] = new Set(others);
  if (kind === "parent" && id === leadId && other !== undefined && more.length === 0)
    return msg("grouped.behind_one", { name: value, other });
  if (kind === "parent") return msg(id === leadId ? "grouped.behind" : "grouped.parent", { name: value });
  if (kind === "host") return msg("grouped.host", { host: value });
  if (kind === "address") return msg("grouped.address", { address: value });
  return msg("grouped.network", { location: value });
}

/** The same of an incident that may have none. What a person merged into it need not have it. */
export const messageOfGrouping = (
  by: Cause | null,
  { isMerged, ...grouped }: Grouped & { isMerged: boolean },
): MessageDescriptor | null => (isMerged ? msg("grouped.merged") : by && messageOfCause(by, grouped));

/** Those of what an incident affects that are outages of monitors. */
export const membersOf = <T extends { monitorId: number | null; outageStartedAt: number | null }>(
  affected: readonly T[],
) =>
  affected.filter(
    (one): one is T & { monitorId: number; outageStartedAt: number } =>
      one.monitorId !== null && one.outageStartedAt !== null,
  );
