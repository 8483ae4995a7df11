import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { type AnyDb, isPostgres } from "../dialect.ts";

const ROWS_A_STEP = 500;

interface Outage {
  id: number;
  title: string;
  fact: string | null;
}

interface TitleFact {
  code: string;
  params: Record<string, unknown>;
}

/**
 * The title of an outage's incident is a fact of its own. Until now it followed from that of the description, which ended
 * when a person changed either: there the sentence tells whose it is, in the words that versions before this one used.
 */
export const titleFacts: Migration = {
  async up(db) {
    await sql`alter table incidents add column title_fact text`.execute(db);
    for (let last = 0, rows = await outagesAfter(db, last); rows.length > 0; ) {
      const names = await namesOf(
        db,
        rows.map(({ id }) => id),
      );
      const facts = rows.flatMap((row) => {
        const told = fromFact(row.fact) ?? fromTitle(row.title, names.get(row.id) ?? new Set());
        return told ? [[row.id, JSON.stringify(told)]] : [];
      });
      await fill(db, JSON.stringify(Object.fromEntries(facts)));
      last = rows.at(-1)?.id ?? last;
      rows = await outagesAfter(db, last);
    }
  },
};

async function outagesAfter(db: AnyDb, id: number): Promise<Outage[]> {
  const { rows } = await sql<Outage>`select id, title, fact from incidents
    where id > ${id} and automatic = 1 order by id limit ${ROWS_A_STEP}`.execute(db);
  return rows;
}

async function namesOf(db: AnyDb, ids: readonly number[]): Promise<Map<number, Set<string>>> {
  const { rows } = await sql<{ id: number; name: string }>`select incident_id as id, name
    from affected_services where incident_id in (${sql.join(ids)})`.execute(db);
  const byIncident = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byIncident].map(([id, own]) => [id, new Set(own.map(({ name }) => name))]));
}

function fromFact(json: string | null): TitleFact | null {
  const fact = JSON.parse(json ?? "null") as { code?: string; params?: Record<string, unknown> } | null;
  const { name, others } = fact?.params ?? {};
  if (fact?.code === "incident.outage") return { code: "incident.down", params: { name } };
  if (fact?.code === "incident.outages") return { code: "incident.down_several", params: { name, others } };
  return null;
}

function fromTitle(title: string, names: ReadonlySet<string>): TitleFact | null {
  for (const name of names) {
    if (title === `${name} is down`) return { code: "incident.down", params: { name } };
    if (!title.startsWith(`${name} and `)) continue;
    const [, others] =
      /^(\d+) (?:more|others|other monitor) are down$/.exec(title.slice(name.length + 5)) ?? [];
    if (others !== undefined)
      return { code: "incident.down_several", params: { name, others: Number(others) } };
  }
  return null;
}

/** `texts`: JSON of texts by the incident's number. */
async function fill(db: AnyDb, texts: string): Promise<void> {
  const each = isPostgres(db) ? sql`json_each_text(${texts}::json)` : sql`json_each(${texts})`;
  await sql`update incidents set title_fact = texts.value
    from ${each} as texts where incidents.id = cast(texts.key as bigint)`.execute(db);
}
