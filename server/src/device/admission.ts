import type { AgentIdentity, Device, Rival } from "../store/queries/devices.ts";

/** Who comes with a device's token, and from where. */
export interface Comer {
  agent: AgentIdentity;
  hostname: string | null;
  address: string;
}

/** Whether it may report, and what is known of the device from now on. */
export interface Admission {
  isAdmitted: boolean;
  device: Device;
}

/**
 * Lets one agent report for a device: the one that does, one that was started again, or another once that has been silent for
 * `silenceMs`. Any other is refused and noted: it is a copy of the machine, or of its token. `now` in milliseconds.
 */
export function admit(
  device: Device,
  comer: Comer,
  { now, silenceMs }: { now: number; silenceMs: number },
): Admission {
  const { agent: own, rival } = device;
  const { agent } = comer;
  const isSilent = device.reportedAt === null || now - device.reportedAt >= silenceMs;
  if (own && isSameRun(own, agent)) return { isAdmitted: true, device: withProof(device) };
  const isOwnRestart = own !== null && isRestart(own, agent) && agent.run !== device.formerRun;
  if (own && !isOwnRestart && !isSilent) {
    const isKnown = rival !== null && isSameRun(rival, agent);
    return { isAdmitted: false, device: { ...device, rival: rivalOf(comer, now, isKnown && rival.proven) } };
  }
  return {
    isAdmitted: true,
    device: {
      ...device,
      agent,
      formerRun: own?.run ?? null,
      // Another installation counts for itself.
      sequence: own?.installation === agent.installation ? device.sequence : 0,
      // Whoever has waited until the other was silent was no rival, unless both had been there.
      rival: rival?.proven ? rival : null,
    },
  };
}

const isSameRun = (one: Pick<AgentIdentity, "installation" | "run">, other: AgentIdentity): boolean =>
  one.installation === other.installation && one.run === other.run;

/** The same agent of the same machine, which has not been started anew either. */
const isRestart = (one: AgentIdentity, other: AgentIdentity): boolean =>
  one.installation === other.installation && one.boot === other.boot && one.machine === other.machine;

/** The device's own agent reports after another was refused: both are there. */
const withProof = (device: Device): Device =>
  device.rival && !device.rival.proven ? { ...device, rival: { ...device.rival, proven: true } } : device;

const rivalOf = ({ agent, hostname, address }: Comer, at: number, proven: boolean): Rival => ({
  installation: agent.installation,
  boot: agent.boot,
  run: agent.run,
  hostname,
  address,
  at,
  proven,
});
