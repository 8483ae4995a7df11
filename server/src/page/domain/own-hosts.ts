import type { Db } from "../../store/db.ts";
import { listHosts } from "../../store/queries/page-domains.ts";

/** Every host that is a page's own (lower case), with the page's slug. */
export const ownHosts = async (db: Db): Promise<ReadonlyMap<string, string>> =>
  new Map((await listHosts(db)).map(({ host, slug }) => [host, slug]));
