import { findMonitor, type Monitor } from "../../monitors/queries/monitors.ts";
import { mayRead } from "../../platform/access/check-access.ts";
import { type FieldErrors, invalidInput, notFound } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { Deleted, isMeant, readId } from "../../platform/operations/field.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import { findPageMeant, pageChanged, rereadPage, showComponent } from "../found-page.ts";
import {
  deleteComponent,
  insertComponent,
  listComponents,
  listGroups,
  type PageComponent,
  placeComponents,
  saveComponent,
} from "../queries/status-page-components.ts";
import type { StatusPage } from "../queries/status-pages.ts";
import {
  type ComponentInput,
  type LinkedKind,
  LinkParams,
  LinkUpdate,
  linkOf,
  StatusPageComponent,
} from "../schemas/status-pages.ts";
import { placesAfterMove } from "./arrangement.ts";
import { assertFits, newComponent, settingsOf, UNKNOWN, whatIsChecked } from "./contents.ts";

const ofComponents = {
  resource: "status-pages",
  feature: "team",
  action: "write",
  find: findPageMeant,
} as const;

/** Throws 404; 422 for one that is unknown or present, or whose name reveals its target. */
const addToPage = (kind: LinkedKind) =>
  verb({
    ...ofComponents,
    audit: "add page component",
    input: linkOf(kind),
    output: StatusPageComponent,
    async run(ctx, { id: _, ...given }, found) {
      const field = `${kind}Id`;
      const { [field as "linkedId"]: linkedId, ...input } = given;
      const page = await rereadPage(ctx, found);
      const known = await listComponents(ctx.db, [page.id]);
      assertFits(known.length + 1);
      const monitor = await monitorMeant(ctx, kind, linkedId);
      if (!monitor) throw invalidInput({ [field]: [msg("page.no_monitor", { id: linkedId })] });
      if (known.some(({ monitorId }) => monitorId === monitor.id))
        throw invalidInput({ [field]: [msg("page.linked")] });
      return add(ctx, page, { monitor, input, known });
    },
  });

/** Throws 404 and 422. */
const changeOnPage = (kind: LinkedKind) =>
  verb({
    ...ofComponents,
    audit: "change page component",
    input: LinkUpdate,
    output: StatusPageComponent,
    async run(ctx, { id: _, linkId, ...input }, found) {
      const page = await rereadPage(ctx, found);
      const known = await listComponents(ctx.db, [page.id]);
      const component = componentMeant(known, kind, linkId);
      const groupId = await groupMeant(ctx, page, component.groupId, input);
      await saveComponent(ctx.db, component.id, settingsOf(component, input));
      if (groupId !== component.groupId || input.position !== undefined) {
        const moved = { id: component.id, groupId, at: input.position };
        await placeComponents(ctx.db, placesAfterMove(known, moved));
      }
      return changed(ctx, page, component.id);
    },
  });

/** Throws 404. */
const removeFromPage = (kind: LinkedKind) =>
  verb({
    ...ofComponents,
    audit: "remove page component",
    input: LinkParams,
    output: Deleted,
    async run(ctx, { linkId }, found) {
      const page = await rereadPage(ctx, found);
      const { id } = componentMeant(await listComponents(ctx.db, [page.id]), kind, linkId);
      await deleteComponent(ctx.db, id);
      await pageChanged(ctx, page);
      return { id };
    },
  });

const componentVerbs = (kind: LinkedKind) => ({
  addToPage: addToPage(kind),
  changeOnPage: changeOnPage(kind),
  removeFromPage: removeFromPage(kind),
});

export const domainComponents = componentVerbs("domain");
export const serviceComponents = componentVerbs("service");
export const deviceComponents = componentVerbs("device");

/** Null for one that is not the organization's, or that the caller may not read. */
async function monitorMeant(ctx: Running, kind: LinkedKind, id: string | number): Promise<Monitor | null> {
  const ref = readId(String(id));
  if (!ref) return null;
  const { organizationId } = ctx.caller;
  const monitor = await findMonitor(ctx.db, { organizationId, kind, ref });
  return monitor && mayRead(ctx)(monitor) ? monitor : null;
}

interface Addition {
  monitor: Monitor;
  input: ComponentInput;
  known: readonly PageComponent[];
}

async function add(ctx: Running, page: StatusPage, { monitor, input, known }: Addition) {
  const checked = (await whatIsChecked(ctx.db, [monitor])).get(monitor.id) ?? UNKNOWN;
  const component = newComponent(page, { monitor, checked }, input);
  if (!component) throw invalidInput({ displayName: [msg("page.name_needed")] });
  const groupId = await groupMeant(ctx, page, null, input);
  const id = await insertComponent(ctx.db, {
    ...component,
    ...{ organizationId: page.organizationId, pageId: page.id, groupId, position: known.length },
  });
  await placeComponents(ctx.db, placesAfterMove(known, { id, groupId, at: input.position }));
  return changed(ctx, page, id);
}

async function changed(ctx: Running, page: StatusPage, id: number) {
  await pageChanged(ctx, page);
  const component = (await listComponents(ctx.db, [page.id])).find((one) => one.id === id);
  if (!component) throw notFound();
  return showComponent(ctx, component);
}

function componentMeant(known: readonly PageComponent[], kind: LinkedKind, text: string): PageComponent {
  const ref = readId(text);
  const own = known.filter((one) => one.kind === kind);
  const found = ref && own.find((one) => isMeant(ref, one));
  if (!found) throw notFound();
  return found;
}

/** `now` where none is given. Throws 422 for one that the page does not have. */
async function groupMeant(
  { db }: Running,
  page: StatusPage,
  now: number | null,
  { groupId: wanted }: ComponentInput,
): Promise<number | null> {
  if (wanted === undefined) return now;
  if (wanted === null) return null;
  const ref = readId(String(wanted));
  const groups = await listGroups(db, [page.id]);
  const found = ref && groups.find((one) => isMeant(ref, one));
  const problems: FieldErrors = { groupId: [msg("page.no_group", { id: wanted })] };
  if (!found) throw invalidInput(problems);
  return found.id;
}
