import { randomUUIDv7 } from "node:crypto";
import { type Static, Type } from "typebox";
import type { Caller } from "../../platform/access/caller.ts";
import { assertStays, findAnywhere, isPermitted } from "../../platform/access/check-access.ts";
import { lockOrganization } from "../../platform/access/queries/organizations.ts";
import { type FieldErrors, invalidInput, notFound, PublicError } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { Deleted, IdParams, parseId, withId } from "../../platform/operations/field.ts";
import { type Before, type Running, verb } from "../../platform/operations/operation.ts";
import { PageQuery, pageOf } from "../../platform/operations/paging.ts";
import { openConfig, sealConfig } from "../../platform/secrets/secret-box.ts";
import type { ChannelKind } from "../channels/kind.ts";
import { channelKind } from "../channels/registry.ts";
import { noteChannels } from "../queries/alert-events.ts";
import {
  countChannels,
  deleteChannel as deleteRow,
  findChannel,
  findChannelOwner,
  insertChannel,
  isChannelNameTaken,
  noteTurnedOff,
  listChannels as queryChannels,
  type Channel as StoredChannel,
  saveChannel,
} from "../queries/channels.ts";
import {
  Channel,
  ChannelCreate,
  ChannelUpdate,
  projectChannel,
  readChannelInput,
} from "../schemas/channels.ts";
import { applyChannel, type ChannelInput, newChannel, type OpenSettings } from "./apply-channel.ts";
import { consentOf, requestConsentIfPossible } from "./consent.ts";
import { openChannels } from "./shown-channel.ts";

/** The most that an organization can have: each may be sent every event. */
const MAX_CHANNELS = 50;

/** For a verb's `find`: the channel that the input names. Throws 404. */
export async function findChannelMeant(ctx: Before, input: { id: string }) {
  const { db } = ctx.store;
  const ref = parseId(input.id);
  const find = (organizationId: number) => findChannel(db, organizationId, ref);
  return findAnywhere(ctx, find, () => findChannelOwner(db, ref));
}

/** A read-only key sees no more than a viewer, whatever role its owner has. */
const mayChange = (caller: Caller): boolean =>
  isPermitted(caller, { action: "write", resource: "notifications", features: [] });

/** A channel as the caller may see it. */
export async function showChannel(ctx: Running, channel: StoredChannel): Promise<Static<typeof Channel>> {
  const [shown] = await openChannels(ctx, [channel]);
  if (!shown) throw notFound();
  return projectChannel(shown, mayChange(ctx.caller));
}

/** The organization's channels, oldest first. */
export const listChannels = verb({
  resource: "notifications",
  action: "read",
  input: Type.Object(PageQuery),
  output: Type.Array(Channel),
  paged: true,
  async run(ctx, input) {
    const { db, caller } = ctx;
    const { items, page } = pageOf(await queryChannels(db, caller.organizationId), input);
    const shown = await openChannels(ctx, items);
    return { items: shown.map((channel) => projectChannel(channel, mayChange(caller))), page };
  },
});

/** One channel. Throws 404. */
export const getChannel = verb({
  resource: "notifications",
  action: "read",
  input: IdParams,
  output: Channel,
  find: findChannelMeant,
  run: (ctx, _, channel) => showChannel(ctx, channel),
});

/**
 * Adds a channel. Throws 422 with every invalid field, 403 at the limit, 409 in an organization that is being deleted, 429
 * after too many confirmation requests.
 */
export const createChannel = verb({
  resource: "notifications",
  action: "write",
  audit: "create channels",
  input: ChannelCreate,
  output: Channel,
  async run(ctx, input) {
    const { db, clock, caller } = ctx;
    const { organizationId } = caller;
    assertStays(await lockOrganization(db, organizationId));
    const kind = requireKind(input.type);
    const settings = await settingsOf(ctx, newChannel(), { kind, input, exceptId: null });
    if ((await countChannels(db, organizationId)) >= MAX_CHANNELS) {
      throw new PublicError("quota_reached", msg("channel.many", { limit: MAX_CHANNELS }));
    }
    const stored = sealed(ctx, kind, settings);
    const consent = await consentOf(ctx, kind, settings.config, null);
    const channel = { ...stored, uuid: randomUUIDv7(), organizationId, ...consent };
    const id = await insertChannel(db, channel, clock.now());
    await noteChannels(db, [{ organizationId, id }], clock.now());
    if (!settings.enabled) await noteTurnedOff(db, id, { at: clock.now(), by: caller.userId });
    const added = await rereadChannel(ctx, id);
    if (consent.confirmedAt === null) await requestConsentIfPossible(ctx, added);
    return showChannel(ctx, added);
  },
});

/** Changes the given settings of a channel. Throws 404, 422, and 429 after too many confirmation requests. */
export const updateChannel = verb({
  resource: "notifications",
  action: "write",
  audit: "update channels",
  input: withId(ChannelUpdate),
  output: Channel,
  find: findChannelMeant,
  async run(ctx, input, found) {
    const { db, clock, caller } = ctx;
    await lockOrganization(db, found.organizationId);
    const before = await rereadChannel(ctx, found.id);
    const kind = requireKind(before.type);
    const base = { ...before, config: openConfig(ctx.secrets, before) };
    const settings = await settingsOf(ctx, base, { kind, input, exceptId: before.id });
    const consent = await consentOf(ctx, kind, settings.config, base);
    const { confirmedAt } = consent;
    await saveChannel(db, before.id, { ...sealed(ctx, kind, settings), ...consent }, clock.now());
    if (settings.enabled !== before.enabled) {
      const turnedOff = settings.enabled ? null : { at: clock.now(), by: caller.userId };
      await noteTurnedOff(db, before.id, turnedOff);
    }
    await noteChannels(db, [before], clock.now());
    const changed = await rereadChannel(ctx, before.id);
    if (confirmedAt === null && changed.target !== before.target)
      await requestConsentIfPossible(ctx, changed);
    return showChannel(ctx, changed);
  },
});

/** Removes a channel with its log; what waits for it is not sent. Throws 404. */
export const deleteChannel = verb({
  resource: "notifications",
  action: "write",
  audit: "delete channels",
  input: IdParams,
  output: Deleted,
  find: findChannelMeant,
  async run(ctx, _, channel) {
    const { id, name } = channel;
    if (!(await deleteRow(ctx.db, id))) throw notFound();
    // A person whose address it wrote to is notified by their own channel instead.
    await noteChannels(ctx.db, [channel], ctx.clock.now());
    ctx.record({ id, name });
    return { id };
  },
});

function requireKind(type: string): ChannelKind {
  const kind = channelKind(type);
  if (!kind) throw new PublicError("conflict", msg("delivery.unknown_type", { type }));
  return kind;
}

interface Change {
  kind: ChannelKind;
  input: object;
  exceptId: number | null;
}

/** Throws 422 with everything that is wrong. Call it with the organization locked. */
async function settingsOf(ctx: Running, base: OpenSettings, change: Change): Promise<OpenSettings> {
  const { kind, exceptId } = change;
  const input = readChannelInput(change.input) as ChannelInput;
  const applied = applyChannel(base, input, { kind, targets: ctx.network.policy });
  const { settings } = applied;
  const problems: FieldErrors = applied.problems;
  const { organizationId } = ctx.caller;
  if (await isChannelNameTaken(ctx.db, { organizationId, name: settings.name, exceptId })) {
    (problems.name ??= []).push(msg("channel.taken", { name: settings.name }));
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  return settings;
}

const sealed = (ctx: Running, kind: ChannelKind, settings: OpenSettings) => ({
  ...settings,
  ...sealConfig(ctx.secrets, kind.configSchema, settings.config),
  type: kind.type,
  target: kind.target(settings.config as never),
});

/** The channel as it is now, locked until the transaction ends. Throws 404. */
export async function rereadChannel({ db, caller }: Running, id: number): Promise<StoredChannel> {
  const channel = await findChannel(db, caller.organizationId, { id }, { lock: true });
  if (!channel) throw notFound();
  return channel;
}
