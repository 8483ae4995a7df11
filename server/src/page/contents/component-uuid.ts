import { derivedUuid } from "../derived-uuid.ts";

/** The uuid of what a page shows of a monitor: the same when it is linked again, so that whoever chose it hears of it as before. */
export const componentUuid = (page: { uuid: string }, monitor: { uuid: string }): string =>
  derivedUuid(page.uuid, `component ${monitor.uuid}`);
