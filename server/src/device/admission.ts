import { isDatedAhead } from "../clock.ts";
import type { AgentIdentity, Device, Rival } from "../store/queries/devices.ts";

/** The agent that sends a report, and from where. */
export interface ReportingAgent {
  agent: AgentIdentity;
  hostname: string | null;
  address: string;
  /** When its machine was started, milliseconds by the server's clock; null: it does not say. */
  bootedAt: number | null;
}

/** Whether the agent may report, and the device as it is from now on. */
export interface Admission {
  isAdmitted: boolean;
  device: Device;
}

/**
 * Admits one agent for each device: the one that reports already, the same one after a restart of itself or of its machine, or another
 * one after the first has been silent for `silenceMs`. Any other is refused and noted as a rival: it runs on a copy of the machine, or with a copy of
 * its token. `now` in milliseconds.
 */
export function admit(
  device: Device,
  reporting: ReportingAgent,
  { now, silenceMs }: { now: number; silenceMs: number },
): Admission {
  const { agent: own, rival } = device;
  const { agent } = reporting;
  const isSilent = isSilentSince(device.reportedAt, { now, silenceMs });
  const isLate = isSilentSince(device.reportedAt, { now, silenceMs: silenceMs / 2 });
  const lateSince = isLate ? device.reportedAt : null;
  if (own && isSameRun(own, agent)) return { isAdmitted: true, device: withProof(device) };
  const isOwnRestart = own !== null && isRestart(own, reporting, lateSince) && agent.run !== device.formerRun;
  if (own && !isOwnRestart && !isSilent) {
    const isKnown = rival !== null && isSameRun(rival, agent);
    return {
      isAdmitted: false,
      device: { ...device, rival: rivalOf(reporting, now, isKnown && rival.proven) },
    };
  }
  return {
    isAdmitted: true,
    device: {
      ...device,
      agent,
      formerRun: own?.run ?? null,
      // Another installation counts its reports from the beginning.
      sequence: own?.installation === agent.installation ? device.sequence : 0,
      // One that waited until the other was silent is no rival, unless both have been seen to run.
      rival: rival?.proven ? rival : null,
    },
  };
}

/** Nothing was ever heard, or for too long; when something was, a clock that was ahead then does not say. */
const isSilentSince = (at: number | null, { now, silenceMs }: { now: number; silenceMs: number }): boolean =>
  at === null || isDatedAhead(at, now) || now - at >= silenceMs;

const isSameRun = (one: Pick<AgentIdentity, "installation" | "run">, other: AgentIdentity): boolean =>
  one.installation === other.installation && one.run === other.run;

/**
 * The same agent after a restart, on the same machine since the same start of that, or since one after the last report. `lateSince`:
 * when that was, null while the next one is not late: a copy may have been started between two reports.
 */
const isRestart = (
  one: AgentIdentity,
  { agent: other, bootedAt }: ReportingAgent,
  lateSince: number | null,
): boolean =>
  one.installation === other.installation &&
  one.machine === other.machine &&
  (one.boot === other.boot || (bootedAt !== null && lateSince !== null && bootedAt > lateSince));

/** The device's own agent reports after another was refused: so both are running. */
const withProof = (device: Device): Device =>
  device.rival && !device.rival.proven ? { ...device, rival: { ...device.rival, proven: true } } : device;

const rivalOf = ({ agent, hostname, address }: ReportingAgent, at: number, proven: boolean): Rival => ({
  installation: agent.installation,
  boot: agent.boot,
  run: agent.run,
  hostname,
  address,
  at,
  proven,
});
