import type { PageAffected } from "../../store/queries/public-pages.ts";
import type { PageComponent } from "../../store/queries/status-page-components.ts";

/** What a draft may say of an incident: nothing that is not on each page it is for. */
export interface CommonFacts {
  /** What is affected, as all these pages call it. */
  names: string[];
  since: number;
}

/**
 * What each of these pages shows of an incident, under one name. `components`: of each page, those of what is affected.
 * Where they have nothing in common, it began when the last of them learnt of it.
 */
export function commonFacts(
  incident: { automatic: boolean; startedAt: number },
  affected: readonly PageAffected[],
  components: readonly (readonly PageComponent[])[],
): CommonFacts {
  const [first = [], ...others] = components;
  const common = first.filter(({ monitorId, displayName }) =>
    others.every((page) =>
      page.some((one) => one.monitorId === monitorId && one.displayName === displayName),
    ),
  );
  const begins = (shown: readonly PageComponent[]): number[] =>
    affected.flatMap(({ monitorId, outageStartedAt: at }) =>
      at !== null && shown.some((one) => one.monitorId === monitorId) ? at : [],
    );
  const earliest = (shown: readonly PageComponent[]) => Math.min(...begins(shown));
  const known = common.length > 0 ? [earliest(common)] : components.map(earliest);
  const since = Math.max(...known.filter(Number.isFinite));
  return {
    names: [...new Set(common.map(({ displayName }) => displayName))],
    since: incident.automatic && Number.isFinite(since) ? since : incident.startedAt,
  };
}
