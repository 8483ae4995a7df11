import type { AuthenticatedDevice } from "../account/caller.ts";
import { hashToken } from "../account/token.ts";
import type { Context } from "../context.ts";
import { PublicError, unauthenticated } from "../errors.ts";
import { findTokenHolder } from "../store/queries/devices.ts";
import { fact } from "../texts/fact.ts";
import { type Before, verb } from "../verb/verb.ts";
import { AgentAnswer, AgentReports, MAX_REPORT_BYTES, MAX_REPORTS } from "../wire/agent/report.ts";
import { takeReports } from "./intake.ts";
import { newestSnapshots } from "./snapshots.ts";

const MINUTE_SECONDS = 60;
const APPLICATIONS_SECONDS = 6 * 3600;

/** A device's token, as agents send it. */
const DEVICE_TOKEN = /^vda_[\w-]{43}$/;

/**
 * Stores what a device's agent reports, each sequence once; it is stored when this resolves. Throws 401 for a token that is not
 * valid, and 409 while another agent reports for the device.
 */
export const reportDevice = verb({
  by: "anyone",
  resource: null,
  // `prepare` stores it, in a transaction that reports of other devices share.
  action: "read",
  input: AgentReports,
  output: AgentAnswer,
  async prepare(ctx: Before<"anyone">, sent) {
    const { device, address } = ctx.visitor;
    if (!device) throw unauthenticated();
    const { tokenHash, ...holder } = device;
    const at = ctx.clock.now();
    const body = { ...sent, reports: inSequence(sent.reports) };
    const snapshots = await newestSnapshots(body, at);
    const outcome = await takeReports(ctx, { holder, tokenHash, body, snapshots, address, at });
    if (outcome.is === "unknown") throw unauthenticated();
    if (outcome.is === "rival") throw new PublicError("conflict", fact("device.rival"));
    return { acknowledged: outcome.acknowledged, metrics: holder.intervalSeconds };
  },
  async run(ctx, _, { acknowledged, metrics }) {
    // Lists need not come more often than figures.
    const lists = Math.max(MINUTE_SECONDS, metrics);
    return {
      acknowledged,
      serverTime: ctx.clock.now(),
      intervals: { metrics, processes: lists, connections: lists, applications: APPLICATIONS_SECONDS },
      limits: { bodyBytes: MAX_REPORT_BYTES, reports: MAX_REPORTS },
    };
  },
});

/** The device whose token it is. Throws 401. */
export async function findAuthenticatedDevice(
  { store }: Pick<Context, "store">,
  token: string,
): Promise<AuthenticatedDevice> {
  const tokenHash = hashToken(token);
  const holder = DEVICE_TOKEN.test(token) ? await findTokenHolder(store.db, tokenHash) : undefined;
  if (!holder) throw unauthenticated();
  return { ...holder, tokenHash };
}

/** Each sequence once, in ascending order: what is stored up to one that was acknowledged is never stored again. */
const inSequence = (reports: AgentReports["reports"]): AgentReports["reports"] =>
  reports
    .filter(({ sequence }, at) => reports.findIndex((one) => one.sequence === sequence) === at)
    .sort((one, other) => one.sequence - other.sequence);
