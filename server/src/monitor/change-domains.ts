import { verb } from "../verb/verb.ts";
import { DomainBulk, DomainBulkResult, projectBulk, readBulkIds } from "../wire/domain-bulk.ts";
import { changeMonitors } from "./change-monitors.ts";

/** Many domains changed at once; each has an audit row of its own (changeMonitors). */
export const changeDomains = verb({
  resource: "domains",
  action: "write",
  audit: null,
  input: DomainBulk,
  output: DomainBulkResult,
  async run(ctx, { action, ids, tags }) {
    const meant = readBulkIds(ids);
    const done = await changeMonitors(ctx, { kind: "domain", action, tags, refs: meant.refs });
    return projectBulk(action, done, meant);
  },
});
