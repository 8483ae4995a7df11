import { bulkVerb } from "./bulk-verb.ts";
import { checkVerbs } from "./check-verbs.ts";
import { monitorVerbs } from "./monitor-verbs.ts";
import {
  DeletedService,
  projectService,
  projectServiceDetail,
  readServiceInput,
  ServiceCreate,
  ServiceDetail,
  ServiceListItem,
  ServiceListQuery,
  ServiceUpdate,
} from "./schemas/services.ts";

const shapes = {
  kind: "service",
  query: ServiceListQuery,
  item: ServiceListItem,
  detail: ServiceDetail,
  create: ServiceCreate,
  update: ServiceUpdate,
  deleted: DeletedService,
  readInput: readServiceInput,
  projectItem: projectService,
  projectDetail: projectServiceDetail,
} as const;

/** What can be done with services (monitor-verbs.ts). */
export const {
  list: listServices,
  get: getService,
  create: createService,
  update: updateService,
  remove: deleteService,
} = monitorVerbs(shapes);

/** To check services at once (check-verbs.ts). */
export const serviceChecks = checkVerbs(shapes);

/** Changes many services at once (bulk-verb.ts). */
export const changeServices = bulkVerb("service");
