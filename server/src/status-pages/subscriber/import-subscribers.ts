import { randomUUIDv7 } from "node:crypto";
import { type CsvError, parse } from "csv-parse/sync";
import { assertAddressConfirmed } from "../../alerts/mail/external-mail.ts";
import { sendsMail } from "../../alerts/mail/send-mail.ts";
import { type FieldErrors, invalidInput } from "../../platform/errors.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { LANGUAGES, type Language } from "../../platform/i18n/render.ts";
import { verb } from "../../platform/operations/operation.ts";
import { findPageMeant, rereadPage } from "../found-page.ts";
import { watchPages } from "../queries/page-notifications.ts";
import { insertSubscribers, listKnownAddresses } from "../queries/subscribers.ts";
import {
  MAX_IMPORTED,
  projectProblem,
  SubscriberImport,
  SubscriberImported,
} from "../schemas/subscribers.ts";
import { readAddress, type SubscriberAddress } from "./address.ts";
import { assertMayAgree, assertRoom, componentsChosen, componentsOf } from "./found-subscriber.ts";

const MAX_SHOWN = 40;

/** Components undefined: not given. */
interface ListedMailbox extends SubscriberAddress {
  language: Language | undefined;
  components: string[] | undefined;
}

interface ListProblem {
  line: number;
  problem: MessageDescriptor;
}

/** Mailboxes by hash, and the lines that are left out. `known`: uuids of the page's components. */
function validateList(
  lines: readonly ListedAddress[],
  known: ReadonlySet<string>,
): { read: Map<string, ListedMailbox>; problems: ListProblem[] } {
  const read = new Map<string, ListedMailbox>();
  const problems: ListProblem[] = [];
  for (const listed of lines) {
    const validated = validateAddress(listed, known);
    if ("problem" in validated) problems.push({ line: listed.line, problem: validated.problem });
    else read.set(validated.hash, validated);
  }
  return { read, problems };
}

function validateAddress(
  listed: ListedAddress,
  known: ReadonlySet<string>,
): ListedMailbox | { problem: MessageDescriptor } {
  const address = readAddress("email", listed.text, "all");
  if ("problem" in address) return address;
  const language = LANGUAGES.find((one) => one === listed.language.toLowerCase());
  if (listed.language !== "" && !language)
    return { problem: msg("subscriber.column_language", { language: shorten(listed.language) }) };
  const chosen = new Set(listed.components.toLowerCase().split(/\s+/).filter(Boolean));
  const unknown = [...chosen].find((uuid) => !known.has(uuid));
  if (unknown !== undefined)
    return { problem: msg("subscriber.column_components", { id: shorten(unknown) }) };
  return { ...address, language, components: chosen.size === 0 ? undefined : [...chosen] };
}

const shorten = (text: string): string => text.slice(0, MAX_SHOWN);

/** In any case. */
const COLUMNS = ["email", "e-mail", "mail", "address", "email address", "adresse", "e-mail-adresse"];
const SEPARATORS = [",", ";", "\t"];
const MAX_ROW_BYTES = 131_072;
/** Exports escape what a spreadsheet would take for a formula (monitors/schemas/imports.ts). */
const ESCAPE = /^'(?=[=+\-@])/;

interface ListedAddress {
  /** From 1. */
  line: number;
  text: string;
  language: string;
  /** Uuids, with spaces between. */
  components: string;
}

const addressAlone = (text: string, at: number): ListedAddress => ({
  ...{ line: at + 1, text, language: "", components: "" },
});

/** One address a line, or a table with a head. Returns the problem of an unreadable file. */
function readList(content: string): ListedAddress[] | { problem: MessageDescriptor } {
  const text = content.replace(/^\uFEFF/, "");
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const separator = SEPARATORS.find((one) => cellsOf(head, one).some(isColumn));
  if (separator !== undefined) return readTable(text, separator);
  return text
    .split(/\r\n?|\n/)
    .map((line, at) => addressAlone(line.trim(), at))
    .filter((one) => one.text !== "");
}

const cellsOf = (head: string, separator: string): string[] =>
  head.split(separator).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .toLowerCase(),
  );

const isColumn = (cell: string): boolean => COLUMNS.includes(cell);

interface Row {
  record: string[];
  info: { lines: number };
}

function readTable(text: string, separator: string): ListedAddress[] | { problem: MessageDescriptor } {
  try {
    const rows = parse(text, {
      delimiter: separator,
      info: true,
      max_record_size: MAX_ROW_BYTES,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as Row[];
    const [head, ...others] = rows;
    const columnOf = (is: (cell: string) => boolean) =>
      head?.record.findIndex((cell) => is(cell.toLowerCase())) ?? -1;
    const at = {
      text: columnOf(isColumn),
      language: columnOf((cell) => cell === "language"),
      components: columnOf((cell) => cell === "components"),
    };
    return others
      .map(({ record, info }) => ({
        line: info.lines,
        text: (record[at.text] ?? "").replace(ESCAPE, ""),
        language: record[at.language] ?? "",
        components: record[at.components] ?? "",
      }))
      .filter((one) => one.text !== "");
  } catch (error) {
    const line = Number((error as CsvError)["lines"]) || 1;
    return { problem: msg("import.syntax", { format: "CSV", line }) };
  }
}

const MAX_PROBLEMS_SHOWN = 100;

/**
 * A row's components come before those given for all. Confirmation requests respect the hourly limit, unless
 * all have agreed elsewhere. Throws 404; 422 for a list without an address; 403 for too many.
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
    const { read, problems } = validateList(entries, await componentsOf(db, page.id));
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
      problems: problems.slice(0, MAX_PROBLEMS_SHOWN).map(projectProblem),
      refused: problems.length,
    };
  },
});

interface Given {
  addresses: readonly string[] | undefined;
  content: string | undefined;
}

/** Throws 422 unless exactly one is given, within the limit. */
function listed({ addresses, content }: Given): ListedAddress[] {
  if ((addresses === undefined) === (content === undefined)) {
    throw invalidInput({ addresses: [msg("subscriber.one_list")] });
  }
  const all = content === undefined ? (addresses ?? []).map(addressAlone) : readList(content);
  const field = content === undefined ? "addresses" : "content";
  const problems: FieldErrors = {};
  if ("problem" in all) problems[field] = [all.problem];
  else if (all.length > MAX_IMPORTED) {
    problems[field] = [msg("subscriber.long_list", { count: all.length, limit: MAX_IMPORTED })];
  }
  if ("problem" in all || Object.keys(problems).length > 0) throw invalidInput(problems);
  return all;
}

/** Reports the first line's problem. */
const noneIn = ([first]: readonly ListProblem[]): MessageDescriptor[] => [
  first?.problem ?? msg("subscriber.empty_list"),
];
