import type { ProbeControl } from "./link.ts";

/** One extra check that the status of a monitor waits for. */
export interface Recheck {
  monitorId: number;
  location: string;
}

/** A check that somebody waits for, at every location that has the monitor. */
export interface CheckRequest {
  monitorId: number;
  /** What its results carry. */
  request: string;
}

/** A probe that this process can talk to: one of its own, or one that is connected to it. */
export interface ReachableProbe {
  location: string;
  /** Whether it checks this monitor now. */
  holds(monitorId: number): boolean;
  control: Pick<ProbeControl, "recheck" | "checkNow">;
}

/** The probes that this process can talk to, whatever they are connected by. */
export interface ProbeDirectory {
  /** Returns how to remove it. */
  add(probe: ReachableProbe): () => void;
  /** Whether the monitor is checked at that location by a probe of this process. */
  isHeld(recheck: Recheck): boolean;
  /** Passes the request to whichever probe checks the monitor there; nothing happens if it is none of these. */
  recheck(recheck: Recheck): void;
  /** Passes the request to all of these probes that check the monitor. */
  checkNow(wanted: CheckRequest): void;
}

export function createProbeDirectory(): ProbeDirectory {
  const probes = new Set<ReachableProbe>();
  const holderOf = ({ monitorId, location }: Recheck) => {
    for (const probe of probes) if (probe.location === location && probe.holds(monitorId)) return probe;
    return null;
  };
  return {
    add(probe) {
      probes.add(probe);
      return () => void probes.delete(probe);
    },
    isHeld: (recheck) => holderOf(recheck) !== null,
    recheck: (recheck) => holderOf(recheck)?.control.recheck(recheck.monitorId),
    checkNow({ monitorId, request }) {
      for (const probe of probes) if (probe.holds(monitorId)) probe.control.checkNow(monitorId, request);
    },
  };
}
