import { Type } from "typebox";
import { findMonitors } from "../../store/queries/monitors.ts";
import { verb } from "../../verb/verb.ts";
import { readId } from "../../wire/field.ts";
import { PageShowing, PagesShowingQuery } from "../../wire/status-page-contents.ts";
import { readReach } from "../subscriber/reach.ts";
import { pagesShowing } from "./pages-showing.ts";

/** The pages that show any of these monitors, and whom news of them reach: what an incident would be told on. */
export const listPagesShowing = verb({
  resource: "status-pages",
  feature: "team",
  action: "read",
  input: PagesShowingQuery,
  output: Type.Array(PageShowing),
  async run({ db, caller: { organizationId }, config }, { ids = "" }) {
    const refs = ids.split(",").flatMap((id) => readId(id) ?? []);
    const found = await findMonitors(db, { organizationId, refs });
    const showing = await pagesShowing(db, organizationId, new Set(found.map(({ id }) => id)));
    const reach = await readReach(db, config, showing);
    return showing.map(({ page: { id, uuid, name, slug, isPublic, showAutomatic }, components }) => ({
      ...{
        uuid,
        name,
        slug,
        isPublic,
        showAutomatic,
        components: components.map(({ displayName }) => displayName),
      },
      subscribers: reach.get(id) ?? 0,
    }));
  },
});
