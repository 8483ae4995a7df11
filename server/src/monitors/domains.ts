import { bulkVerb } from "./bulk-verb.ts";
import { checkVerbs } from "./check-verbs.ts";
import { monitorVerbs } from "./monitor-verbs.ts";
import { DomainCreate, DomainUpdate, readDomainInput } from "./schemas/domain-input.ts";
import {
  DeletedDomain,
  DomainDetail,
  DomainListItem,
  DomainListQuery,
  projectDomain,
  projectDomainDetail,
} from "./schemas/domains.ts";

const shapes = {
  kind: "domain",
  query: DomainListQuery,
  item: DomainListItem,
  detail: DomainDetail,
  create: DomainCreate,
  update: DomainUpdate,
  deleted: DeletedDomain,
  readInput: readDomainInput,
  projectItem: projectDomain,
  projectDetail: projectDomainDetail,
} as const;

/** What can be done with domains (monitor-verbs.ts). */
export const {
  list: listDomains,
  get: getDomain,
  create: createDomain,
  update: updateDomain,
  remove: deleteDomain,
} = monitorVerbs(shapes);

/** To check domains at once (check-verbs.ts). */
export const domainChecks = checkVerbs(shapes);

/** Changes many domains at once (bulk-verb.ts). */
export const changeDomains = bulkVerb("domain");
