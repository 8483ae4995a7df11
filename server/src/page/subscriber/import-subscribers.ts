import { randomUUIDv7 } from "node:crypto";
import { assertAddressConfirmed } from "../../account/external-mail.ts";
import { type FieldErrors, invalidInput } from "../../errors.ts";
import { sendsMail } from "../../notification/mail/send-mail.ts";
import { watchPages } from "../../store/queries/page-news.ts";
import { insertSubscribers, listKnownAddresses } from "../../store/queries/subscribers.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import { verb } from "../../verb/verb.ts";
import {
  MAX_IMPORTED,
  projectProblem,
  SubscriberImport,
  SubscriberImported,
} from "../../wire/subscribers.ts";
import { findPageMeant, rereadPage } from "../found-page.ts";
import { assertMayAgree, assertRoom, componentsChosen, componentsOf } from "./found-subscriber.ts";
import { judgeList, type ListProblem } from "./judge-list.ts";
import { addressAlone, type ListedAddress, readList } from "./read-list.ts";

const MAX_PROBLEMS_TOLD = 100;

/**
 * Adds the mailboxes of a list, each once, and says of each line why it is left out. What the list says that one of them hears comes before what is said of all. They are asked first, as many in an hour as
 * the installation asks, unless all have agreed elsewhere. Throws 404; 422 for a list in which there is no address; 403 where
 * the page would have too many.
 */
export const importSubscribers = verb({
  resource: "status-pages",
  feature: "team",
  action: "write",
  audit: "import subscribers",
  input: SubscriberImport,
  output: SubscriberImported,
  find: findPageMeant,
  async run(ctx, { addresses, content, components, language = "en", agreed = false }, found) {
    const { db, clock } = ctx;
    const page = await rereadPage(ctx, found);
    assertMayAgree(ctx, agreed);
    if (sendsMail(ctx.config)) await assertAddressConfirmed(ctx);
    const entries = listed({ addresses, content });
    const { read, problems } = judgeList(entries, await componentsOf(db, page.id));
    if (read.size === 0) {
      throw invalidInput({ [content === undefined ? "addresses" : "content"]: noneIn(problems) });
    }
    const chosen = await componentsChosen(db, page, components);
    const known = await listKnownAddresses(db, page.id, [...read.keys()]);
    const fresh = [...read.values()].filter(({ hash }) => !known.has(hash));
    await assertRoom(ctx, page, fresh.length);
    const now = clock.now();
    const added = fresh.map(({ kind, address, hash, ...own }) => ({
      ...{ uuid: randomUUIDv7(), organizationId: page.organizationId, pageId: page.id, kind, address },
      ...{ addressHash: hash, secrets: null },
      ...{ components: own.components ?? chosen, language: own.language ?? language },
      ...{ state: agreed ? ("active" as const) : ("waiting" as const), confirmedAt: agreed ? now : null },
      addedBy: ctx.caller.userId,
    }));
    await insertSubscribers(db, added, now);
    if (agreed) await watchPages(db, [page], now);
    ctx.record({ id: page.id, name: page.name });
    return {
      added: added.length,
      known: entries.length - problems.length - added.length,
      problems: problems.slice(0, MAX_PROBLEMS_TOLD).map(projectProblem),
      refused: problems.length,
    };
  },
});

interface Given {
  addresses: readonly string[] | undefined;
  content: string | undefined;
}

/** Throws 422 unless there is one of the two, and not too much of it. */
function listed({ addresses, content }: Given): ListedAddress[] {
  if ((addresses === undefined) === (content === undefined)) {
    throw invalidInput({ addresses: [fact("subscriber.one_list")] });
  }
  const all = content === undefined ? (addresses ?? []).map(addressAlone) : readList(content);
  const field = content === undefined ? "addresses" : "content";
  const problems: FieldErrors = {};
  if ("problem" in all) problems[field] = [all.problem];
  else if (all.length > MAX_IMPORTED) {
    problems[field] = [fact("subscriber.long_list", { count: all.length, limit: MAX_IMPORTED })];
  }
  if ("problem" in all || Object.keys(problems).length > 0) throw invalidInput(problems);
  return all;
}

/** Why nothing of a list can be used: what is wrong with its first line. */
const noneIn = ([first]: readonly ListProblem[]): Fact[] => [first?.problem ?? fact("subscriber.empty_list")];
