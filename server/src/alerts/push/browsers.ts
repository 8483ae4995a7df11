import { createHash, randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import { hostProblem } from "../../checks/guard.ts";
import type { Network } from "../../checks/network.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { listSessions } from "../../platform/access/queries/sessions.ts";
import { findUser, lockUser } from "../../platform/access/queries/users.ts";
import { isAtLeast } from "../../platform/access/roles-and-scopes.ts";
import type { Db } from "../../platform/database/schema.ts";
import { invalidInput, notFound } from "../../platform/errors.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { readerOfRequest } from "../../platform/i18n/reader.ts";
import { Deleted, IdParams, parseId } from "../../platform/operations/field.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import { testMessage } from "../channels/message.ts";
import { reachOf } from "../people/trusted-address.ts";
import {
  alignOwnChannels,
  deleteSubscription,
  dropSubscription,
  findSubscription,
  listPushTargets,
  listSubscriptions,
  saveSubscription,
} from "../queries/own-channels.ts";
import { ChannelTest, projectChannelTest } from "../schemas/channels.ts";
import { PushBrowser, PushBrowsers, PushSubscription, projectPushBrowser } from "../schemas/mail.ts";
import { arePushKeys, isPushService, type PushAddress, sendPush, vapidKeys } from "./send-push.ts";

const own = { resource: null, by: "session" } as const;
/** How many browsers a person can be notified in: each is one more request for everything that happens. */
const MAX_BROWSERS = 20;
/** How long the caller waits for an answer. */
const TIMEOUT_MS = 30_000;

/** The browsers in which the caller is notified, and the key with which another one subscribes. */
export const listPushBrowsers = verb({
  ...own,
  action: "read",
  input: Type.Object({}),
  output: PushBrowsers,
  async prepare(ctx) {
    return (await vapidKeys(ctx)).publicKey;
  },
  async run({ db, caller }, _, publicKey) {
    const subscriptions = await listSubscriptions(db, caller.userId);
    return { publicKey, browsers: subscriptions.map((one) => projectPushBrowser(one, caller.sessionId)) };
  },
});

/** Notifies the caller in the browser of the request from now on. Throws 422 for a subscription that no browser makes. */
export const subscribeBrowser = verb({
  ...own,
  action: "write",
  // It concerns only the caller.
  audit: null,
  input: PushSubscription,
  output: PushBrowser,
  async run(ctx, { endpoint, keys }) {
    const { db, clock, caller } = ctx;
    const problem = endpointProblem(endpoint, reachOfCaller(ctx));
    if (problem) throw invalidInput({ endpoint: [problem] });
    if (!arePushKeys(keys)) throw invalidInput({ keys: [msg("push.keys")] });
    await lockUser(db, caller.userId);
    const endpointHash = createHash("sha256").update(endpoint).digest("hex");
    const sessions = await listSessions(db, caller.userId, 0);
    const session = sessions.find(({ id }) => id === caller.sessionId);
    const subscription = {
      uuid: randomUUIDv7(),
      userId: caller.userId,
      sessionId: caller.sessionId,
      endpointHash,
      address: ctx.secrets.seal(JSON.stringify({ endpoint, ...keys })),
      userAgent: session?.userAgent ?? "",
      language: caller.language ?? "en",
    };
    await saveSubscription(db, subscription, clock.now());
    const all = await listSubscriptions(db, caller.userId);
    // The oldest gives way: most likely it is no longer in use.
    for (const { id } of all.slice(0, Math.max(0, all.length - MAX_BROWSERS))) {
      await deleteSubscription(db, { id, userId: caller.userId });
    }
    await alignOwnChannels(db, caller.userId, clock.now());
    const saved = all.find((one) => one.endpointHash === endpointHash);
    if (!saved) throw notFound();
    return projectPushBrowser(saved, caller.sessionId);
  },
});

function endpointProblem(endpoint: string, { policy }: Network): MessageDescriptor | null {
  return isPushService(endpoint) ? hostProblem(new URL(endpoint).hostname, policy) : msg("push.https");
}

const reachOfCaller = ({ network, caller }: Pick<Running, "network" | "caller">): Network =>
  reachOf(network, { isMember: isAtLeast(caller.role, "member") });

/** The caller's own subscription of that id or uuid. Throws 404. */
async function findOwn(db: Db, { userId }: Caller, id: string) {
  const found = await findSubscription(db, userId, parseId(id));
  if (!found) throw notFound();
  return found;
}

/** Stops notifications in one of the caller's browsers. Throws 404 for an unknown one. */
export const unsubscribeBrowser = verb({
  ...own,
  action: "write",
  audit: null,
  input: IdParams,
  output: Deleted,
  async run({ db, caller }, input) {
    const { id } = await findOwn(db, caller, input.id);
    if (!(await deleteSubscription(db, { id, userId: caller.userId }))) throw notFound();
    return { id };
  },
});

/** Sends a test message to one of the caller's browsers, and says what its push service answered. Throws 404. */
export const testPushBrowser = verb({
  ...own,
  action: "write",
  audit: null,
  input: IdParams,
  output: ChannelTest,
  async prepare(ctx, input) {
    const { db } = ctx.store;
    const { id } = await findOwn(db, ctx.caller, input.id);
    const target = (await listPushTargets(db, ctx.caller.userId)).find((one) => one.id === id);
    if (!target) throw notFound();
    const address = JSON.parse(ctx.secrets.open(target.address)) as PushAddress;
    const reader = readerOfRequest(await findUser(db, ctx.caller.userId), target.language);
    const message = testMessage(ctx.clock.now());
    const reaching = { ...ctx, network: reachOfCaller(ctx) };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return { target, outcome: await sendPush(reaching, { address, reader, message }, signal) };
  },
  async run({ db }, _, { target, outcome }) {
    if (outcome.is === "refused" && outcome.ended) await dropSubscription(db, target.uuid);
    return projectChannelTest(outcome);
  },
});
