import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.ts";
import { PublicError } from "../../platform/errors.ts";
import { defineRoute } from "../../platform/http/define-route.ts";
import { routeOf } from "../../platform/http/listing.ts";
import { ownAddress } from "../../platform/http/security-headers.ts";
import { clientNetwork, visitorOf } from "../../platform/http/visitor.ts";
import { msg } from "../../platform/i18n/message.ts";
import {
  AGENT_FOLDER,
  installScript,
  keepAgentProgram,
  keepPackedRuntime,
  ownRuntime,
  type Runtime,
} from "../devices/download/agent-files.ts";
import { enrollDevice, findTokenMaker } from "../devices/enroll-device.ts";
import { findAuthenticatedDevice, reportDevice } from "../devices/take-reports.ts";
import { MAX_REPORT_BYTES, MAX_REPORT_VALUES } from "../schemas/agent-report.ts";

/** Thousands of devices may be behind one address. */
const REPORTS = { group: "agent-reports", perMinute: 12_000 };
const ENROLLMENTS = { group: "agent-enrollments", perMinute: 60 };

const BEARER = /^Bearer +(\S+)$/i;

/** What agents request, with the token of their device. */
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

/** Many machines behind one address may be set up together. */
const LIMIT = { group: "agent-files", perMinute: 300 };
const PROGRAM = "vedette-agent.mjs";

interface Sources {
  /** The agent's own. */
  folder: string;
  runtime: Runtime | null;
}

/** What a machine needs to become a device: the agent, the script that installs it, and a Node where it has none. */
export function registerAgentDownloads(
  app: FastifyInstance,
  ctx: Context,
  { folder, runtime }: Sources = { folder: AGENT_FOLDER, runtime: ownRuntime() },
): void {
  const options = {
    schema: { hide: true },
    onRequest: (request: FastifyRequest, reply: FastifyReply) =>
      app.limiter.take(reply, LIMIT.group, `address:${clientNetwork(request.ip)}`, LIMIT.perMinute),
  };
  const readProgram = keepAgentProgram(folder);
  const program = async () => {
    const found = await readProgram();
    if (!found) throw new PublicError("unavailable", msg("agent.not_built"), { retryAfterSeconds: 60 });
    return found;
  };
  app.get(`/agent/${PROGRAM}`, options, async (request, reply) => {
    const { content, digest } = await program();
    if (isKnown(request, reply, digest)) return reply.status(304).send();
    return reply.type("text/javascript; charset=utf-8").send(content);
  });
  app.get(`/agent/${PROGRAM}.sha256`, options, async (_request, reply) =>
    sendDigest(reply, (await program()).digest, PROGRAM),
  );
  // As text: opened in a browser, it shows what it does.
  app.get("/agent/install.sh", options, async (request, reply) => {
    const script = await installScript(folder, ownAddress(ctx.config, request));
    return reply.type("text/plain; charset=utf-8").header("cache-control", "no-store").send(script);
  });
  registerRuntime(app, ctx, runtime, options);
}

function registerRuntime(app: FastifyInstance, ctx: Context, runtime: Runtime | null, options: object) {
  const name = runtime && `node-${runtime.platform}.gz`;
  const packed = runtime && keepPackedRuntime(join(ctx.config.dataFolder, "agent"), runtime);
  const find = async (requestedName: string) => {
    if (!packed || requestedName !== name) throw new PublicError("not_found", msg("agent.no_runtime"));
    return packed();
  };
  app.get<{ Params: { file: string } }>(
    "/agent/node-:file",
    { ...options, compress: false },
    async (request, reply) => {
      const requestedName = `node-${request.params.file}`;
      if (requestedName.endsWith(".sha256")) {
        const plain = requestedName.slice(0, -".sha256".length);
        return sendDigest(reply, (await find(plain)).digest, plain);
      }
      const { file, sizeBytes, digest } = await find(requestedName);
      if (isKnown(request, reply, digest)) return reply.status(304).send();
      reply.type("application/gzip").header("content-length", sizeBytes);
      // Fastify reads and drops the body of what answers HEAD, so that has to be a stream as well.
      return reply.send(request.method === "HEAD" ? Readable.from([]) : createReadStream(file));
    },
  );
}

/** Says which one it is, by its checksum; whether the client has that one. */
function isKnown(request: FastifyRequest, reply: FastifyReply, digest: string): boolean {
  const etag = `"${digest}"`;
  reply.headers({ etag, "cache-control": "no-cache" });
  return request.headers["if-none-match"]?.includes(etag) ?? false;
}

/** As `sha256sum` writes and checks it. */
const sendDigest = (reply: FastifyReply, digest: string, name: string) =>
  reply.type("text/plain; charset=utf-8").header("cache-control", "no-cache").send(`${digest}  ${name}\n`);
