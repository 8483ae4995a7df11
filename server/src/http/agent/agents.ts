import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { enrollDevice, findTokenMaker } from "../../device/enroll-device.ts";
import { findAuthenticatedDevice, reportDevice } from "../../device/take-reports.ts";
import { MAX_REPORT_BYTES, MAX_REPORT_VALUES } from "../../wire/agent/report.ts";
import { defineRoute } from "../define-route.ts";
import { routeOf } from "../listing.ts";
import { visitorOf } from "../visitor.ts";

/** Thousands of devices may be behind one address. */
const REPORTS = { group: "agent-reports", perMinute: 12_000 };
const ENROLLMENTS = { group: "agent-enrollments", perMinute: 60 };

const BEARER = /^Bearer +(\S+)$/i;

/** What agents ask for, with the token of their device. */
export function registerAgents(app: FastifyInstance, ctx: Context): void {
  for (const route of [report, enrollment]) defineRoute(app, ctx, { ...route, family: "public" });
}

const visitor = async (_: unknown, http: { request: FastifyRequest }) => ({
  ...(await visitorOf(_, http)),
  ...http.request.agent,
});

const tokenOf = ({ headers }: FastifyRequest): string => BEARER.exec(headers.authorization ?? "")?.[1] ?? "";

const report = routeOf({
  verb: reportDevice,
  async admit(ctx, request) {
    request.agent = { device: await findAuthenticatedDevice(ctx, tokenOf(request)) };
  },
  visitor,
  method: "POST",
  url: "/api/agent/report",
  tag: "agent",
  limit: REPORTS,
  failures: [401, 409],
  bodyLimitBytes: MAX_REPORT_BYTES,
  maxBodyValues: MAX_REPORT_VALUES,
  summary: "Report what a device is doing",
  description:
    "For agents, with the token of their device. The body may be compressed (`Content-Encoding: gzip`), and is at most 2 MB unpacked. A report whose sequence is known already changes nothing, so an agent that got no answer can send it again. 409 while another agent reports for this device: keep the reports and send them later.",
});

const enrollment = routeOf({
  verb: enrollDevice,
  async admit(ctx, request) {
    request.agent = { enroller: await findTokenMaker(ctx, tokenOf(request)) };
  },
  visitor,
  method: "POST",
  url: "/api/agent/enroll",
  tag: "agent",
  limit: ENROLLMENTS,
  failures: [401, 403],
  summary: "Become a device",
  description:
    "For agents, with an enrollment token of the organization. The answer has the token of the new device, which is named after the machine.",
});
