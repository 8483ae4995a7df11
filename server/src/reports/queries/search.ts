import { type RawBuilder, type SqlBool, sql } from "kysely";
import { affectsNamed } from "../../incidents/queries/affected-services.ts";
import { foldForSearch } from "../../monitors/queries/monitors.ts";
import type { Db } from "../../platform/database/schema.ts";
import { isPostgres, isRef, positionIn, type Ref } from "../../platform/database/sql.ts";
import { type MessageDescriptor, parseMessage } from "../../platform/i18n/message.ts";
import type { IncidentStatus, MonitorKind } from "../../platform/monitor-defaults.ts";

/** Incidents are never removed; older ones are found by their number only. */
const INCIDENTS_SEARCHED = 10_000;
/** Each is searched in every row. */
const MAX_WORDS = 8;
/** Before the start of a word. */
const WORD_BREAKS = [" ", "-", "_", ".", "/", ":", "(", "@"];

/** Best first; `scattered`: all words, but not as typed. */
const FITS = ["id", "start", "word", "part", "tag", "address", "scattered"] as const;
type Fit = (typeof FITS)[number];
/** Name, target, and target as typed; a line for each tag follows. */
const LINES_BEFORE_TAGS = 3;
const rankOf = (fit: Fit) => sql.lit(FITS.indexOf(fit));

export interface Search {
  organizationId: number;
  /** Folded, with single spaces. */
  phrase: string;
  /** All must match. */
  words: readonly string[];
  /** If the term is a number or a uuid. */
  ref: Ref | null;
}

export function searchFor(text: string, where: Pick<Search, "organizationId" | "ref">): Search {
  const all = foldForSearch(text)
    .split(/\s+/)
    .filter((word) => word !== "");
  return { ...where, phrase: all.join(" "), words: [...new Set(all)].slice(0, MAX_WORDS) };
}

/** `rank` 0 is the best. */
interface Found {
  id: number;
  rank: number;
}

export interface FoundMonitor extends Found {
  kind: MonitorKind;
}

/** Best first, equals by name. */
export async function searchMonitors(
  db: Db,
  search: Search,
  { kinds, limit }: { kinds: readonly MonitorKind[]; limit: number },
): Promise<FoundMonitor[]> {
  if (kinds.length === 0) return [];
  const all = sql.ref<string>("monitors.search_text");
  const { at, has, inFirstLine } = looking(db, all);
  const tags = looking(db, afterLines(db, all, LINES_BEFORE_TAGS));
  const { phrase } = search;
  const isIt = isThis("monitors", search);
  const rank = sql<number>`case
    when ${isIt} then ${rankOf("id")}
    when ${at(phrase)} = 1 then ${rankOf("start")}
    when ${afterBreak(phrase, inFirstLine)} then ${rankOf("word")}
    when ${inFirstLine(phrase)} then ${rankOf("part")}
    when monitors.tags != '[]' and ${tags.has(phrase)} then ${rankOf("tag")}
    when ${has(phrase)} then ${rankOf("address")}
    else ${rankOf("scattered")} end`;
  return db
    .selectFrom("monitors")
    .select(["monitors.id", "monitors.kind", rank.as("rank")])
    .where("organization_id", "=", search.organizationId)
    .where("kind", "in", kinds)
    .where("deleted_at", "is", null)
    .where(sql<SqlBool>`(${isIt} or ${everyWord(search, has)})`)
    .orderBy("rank")
    .orderBy(byteByByte(db, all))
    .orderBy("monitors.id")
    .limit(limit)
    .execute();
}

/** Times in milliseconds. */
export interface FoundIncident extends Found {
  uuid: string;
  title: string;
  titleMessage: MessageDescriptor | null;
  status: IncidentStatus;
  startedAt: number;
  /** The one that represents it; null: none was down in it. */
  monitorId: number | null;
  /** Null: no monitor, or deleted. */
  monitorKind: MonitorKind | null;
}

/** Best first; then open ones, then the newest. */
export async function searchIncidents(db: Db, search: Search, limit: number): Promise<FoundIncident[]> {
  const { at, has } = looking(db, sql.ref<string>("incidents.search_text"));
  const { phrase } = search;
  const isIt = isThis("incidents", search);
  const rank = sql<number>`case
    when ${isIt} then ${rankOf("id")}
    when ${at(phrase)} = 1 then ${rankOf("start")}
    when ${afterBreak(phrase, has)} then ${rankOf("word")}
    when ${has(phrase)} then ${rankOf("part")}
    else ${rankOf("scattered")} end`;
  const says: Has = (word) => sql`(${has(word)} or ${affectsNamed(db, search.organizationId, word)})`;
  const newest = db
    .selectFrom("incidents")
    .select("id")
    .where("organization_id", "=", search.organizationId)
    .orderBy("id", "desc")
    .offset(INCIDENTS_SEARCHED)
    .limit(1);
  const rows = await db
    .selectFrom("incidents")
    .leftJoin("monitors", (join) =>
      join.onRef("monitors.id", "=", "incidents.monitor_id").on("monitors.deleted_at", "is", null),
    )
    .select(["incidents.id", "incidents.uuid", "incidents.title", "incidents.status"])
    .select("incidents.title_message as titleMessage")
    .select(["incidents.started_at as startedAt", "monitors.id as monitorId", "monitors.kind as monitorKind"])
    .select(rank.as("rank"))
    .where("incidents.organization_id", "=", search.organizationId)
    .where(
      sql<SqlBool>`(${isIt} or (incidents.id > coalesce((${newest}), 0) and ${everyWord(search, says)}))`,
    )
    .orderBy("rank")
    .orderBy(sql`case when incidents.resolved_at is null then 0 else 1 end`)
    .orderBy("incidents.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ titleMessage, status, ...row }) => ({
    ...row,
    titleMessage: parseMessage(titleMessage),
    status: status as IncidentStatus,
  }));
}

type Has = (part: string) => RawBuilder<SqlBool>;

function looking(db: Db, text: RawBuilder<string>) {
  const at = (part: string) => positionIn(db, text, part);
  const has: Has = (part) => sql`${at(part)} > 0`;
  const inFirstLine: Has = (part) => sql`${at(part)} between 1 and ${at("\n")}`;
  return { at, has, inFirstLine };
}

function afterLines(db: Db, text: RawBuilder<string>, lines: number): RawBuilder<string> {
  if (lines === 0) return text;
  return afterLines(db, sql`substr(${text}, ${positionIn(db, text, "\n")} + 1)`, lines - 1);
}

const isThis = (table: string, { ref }: Search): RawBuilder<SqlBool> =>
  ref ? isRef(table, ref) : sql<SqlBool>`1 = 0`;

/** At the start of a word. */
const afterBreak = (phrase: string, has: Has): RawBuilder<SqlBool> =>
  sql`(${sql.join(
    WORD_BREAKS.map((one) => has(one + phrase)),
    sql` or `,
  )})`;

const everyWord = ({ words }: Search, has: Has): RawBuilder<SqlBool> =>
  sql`(${sql.join(words.map(has), sql` and `)})`;

/** The same order on both engines. */
const byteByByte = (db: Db, text: RawBuilder<string>) => (isPostgres(db) ? sql`${text} collate "C"` : text);
