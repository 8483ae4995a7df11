import type { FastifyReply } from "fastify";
import { organizationsOf } from "../../platform/access/check-access.ts";
import { assertFeature, hasFeature } from "../../platform/access/plans.ts";
import type { LiveReader, LiveSubscription } from "../../platform/context.ts";
import type { createStreams, EventStream } from "../../platform/http/streams.ts";
import type { LiveEventType } from "../../platform/live-events.ts";
import { TOOL_FEATURES } from "../tools/spec-tools.ts";
import type { ToolContext } from "../tools/tool.ts";
import { DASHBOARD_URI, uriOf } from "./resources.ts";
import { subscribedUris } from "./sessions.ts";

const MAX_ORGANIZATIONS = 20;

interface Following {
  ctx: ToolContext;
  reply: FastifyReply;
  streams: ReturnType<typeof createStreams>;
}

/**
 * Opens a stream of changes in those of the caller's organizations whose plan has MCP: `notify` gets the
 * changed addresses; `opened` gets the stream and returns what stops with it. Throws 403 where there are
 * none.
 */
async function openUpdates(
  { ctx, reply, streams }: Following,
  opened: (stream: EventStream) => { notify(uris: string[]): void; end?(): void },
): Promise<void> {
  const callers = (await organizationsOf(ctx, ctx.store.db))
    .slice(0, MAX_ORGANIZATIONS)
    .map(({ id, role, plan, reports }) => ({
      ...ctx.caller,
      ...{ organizationId: id, role, plan, reports },
    }))
    .filter((caller) => TOOL_FEATURES.every((feature) => hasFeature(caller, feature)));
  if (callers.length === 0) for (const feature of TOOL_FEATURES) assertFeature(ctx.caller, feature);
  streams.open(ctx, reply, {
    family: "legacy",
    types: new Set(),
    homeOrganizationId: ctx.caller.organizationId,
    organizationIds: callers.map(({ organizationId }) => organizationId),
    lastEventId: null,
    connect(stream) {
      const { notify, end } = opened(stream);
      const { isFull, end: fail } = stream;
      // A client whose stream ends reads again what it needs.
      const changes = batchChanges(notify, fail);
      const subscriptions = callers.flatMap((caller): LiveSubscription[] => {
        const { organizationId } = caller;
        const reader: LiveReader = {
          organizationId,
          family: "legacy",
          types: ctx.live.typesFor?.(caller) ?? new Set(),
          receive: changes.receive,
          write() {},
          isFull,
          fail,
        };
        return ctx.live.subscribe ? [ctx.live.subscribe(reader, null)] : [];
      });
      return {
        drained: () => subscriptions.forEach((one) => one.drained()),
        // An SSE comment, which clients ignore.
        heartbeat: () => stream.write(": keepalive\n\n"),
        end() {
          subscriptions.forEach((one) => one.end());
          changes.end();
          end?.();
        },
      };
    },
  });
}

/** GET of a 2025 revision: changes of the session's subscriptions. */
export const followSession = (own: Following, sessionId: string): Promise<void> =>
  openUpdates(own, (stream) => ({
    notify(uris) {
      void notifySubscribed(own, sessionId, uris, stream).catch((err: unknown) => {
        own.ctx.log.warn({ err }, "The subscriptions of an assistant could not be read");
      });
    },
  }));

async function notifySubscribed(
  { ctx }: Following,
  sessionId: string,
  uris: string[],
  { write }: EventStream,
) {
  const wanted = new Set(await subscribedUris(ctx, { caller: ctx.caller, sessionId }));
  for (const uri of uris) {
    if (!wanted.has(uri)) continue;
    const notification = { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } };
    write(`event: message\ndata: ${JSON.stringify(notification)}\n\n`);
  }
}

/** Forwards an answer that the SDK streams (`subscriptions/listen`), and feeds it from `notify`. */
export async function followAnswer(
  own: Following,
  answer: Response,
  notify: (uris: string[]) => void,
): Promise<void> {
  const reader = answer.body?.getReader();
  const opened = openUpdates(own, (stream) => {
    const pump = async (): Promise<void> => {
      for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
        stream.write(Buffer.from(piece.value));
      }
      stream.end();
    };
    pump().catch(() => stream.end());
    return { notify, end: () => void reader?.cancel().catch(() => {}) };
  });
  await opened.catch(async (error: unknown) => {
    await reader?.cancel().catch(() => {});
    throw error;
  });
}

/** Batched: a resource that changes ten times in a moment is read once. */
const BATCH_MS = 500;

interface Data {
  monitorId?: number;
  monitorIds?: number[];
  uuid?: string;
  id?: number;
}

/** By event type. No single results: there is one for every check. */
const KINDS: Readonly<Partial<Record<LiveEventType, string>>> = {
  status: "domains",
  "monitor.changed": "domains",
  "service.status": "services",
  "service.changed": "services",
  "device.status": "devices",
  "device.changed": "devices",
  incident: "incidents",
};

type ReceiveEvent = NonNullable<LiveReader["receive"]>;

function changedUris({ type, payload }: NonNullable<Parameters<ReceiveEvent>[0]>): string[] {
  const kind = KINDS[type as LiveEventType];
  if (!kind) return [];
  const { monitorId, monitorIds, uuid, id } = JSON.parse(payload) as Data;
  const ids = kind === "incidents" ? [id, uuid] : [...(monitorIds ?? [monitorId]), uuid];
  return [...ids.flatMap((own) => (own === undefined ? [] : [uriOf(kind, own)])), DASHBOARD_URI];
}

/**
 * Batches events into changed addresses, each once per interval; `missed`: the changes are unknown. `end`
 * stops it.
 */
export function batchChanges(
  notify: (uris: string[]) => void,
  missed: () => void,
): { receive: ReceiveEvent; end(): void } {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const uris = [...waiting];
    waiting.clear();
    try {
      notify(uris);
    } catch {
      missed();
    }
  };
  return {
    receive(event) {
      if (event === null) return missed();
      for (const uri of changedUris(event)) waiting.add(uri);
      if (waiting.size > 0) timer ??= setTimeout(flush, BATCH_MS);
    },
    end: () => clearTimeout(timer),
  };
}
