import { hostname } from "node:os";
import { type Post, saidBy } from "./link/http.ts";
import type { Machine } from "./machine.ts";

/** The server does not let this machine in, for good. */
export class EnrollmentRefused extends Error {}

/**
 * Trades the organization's enrollment token for one of the device's own. Throws `EnrollmentRefused`, or another error where
 * the server is away and it may be tried again.
 */
export async function enroll(
  post: Post,
  token: string,
  { instance, machine }: { instance: string; machine: Machine },
): Promise<string> {
  const answer = await post("api/agent/enroll", token, {
    ...{ instance, machineId: machine.machineId, hostname: hostname() || "localhost" },
    ...{ platform: process.platform, architecture: process.arch },
  });
  const data = answer.body?.data as { token?: unknown } | undefined;
  if (answer.status >= 200 && answer.status < 300 && typeof data?.token === "string") return data.token;
  const reason = saidBy(answer);
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
    throw new EnrollmentRefused(reason);
  throw new Error(reason);
}
